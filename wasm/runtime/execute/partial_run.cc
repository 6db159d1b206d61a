#include "runtime/execute/partial_run.h"

#include <set>
#include <utility>
#include <vector>

#include "runtime/execute/execution_plan.h"

namespace tflite::webnn {
namespace {

using InvokeFunction = decltype(TfLiteRegistration::invoke);

// During its lifetime, the plan ends early and some of its nodes do nothing.
class ShortenedPlan {
 public:
  ShortenedPlan(Subgraph& subgraph, int size) : subgraph_(subgraph), plan_(subgraph.execution_plan()) {
    subgraph.execution_plan().resize(size);
  }
  ~ShortenedPlan() {
    for (const auto& [node_index, invoke] : skipped_) InvokeOf(node_index) = invoke;
    subgraph_.execution_plan() = std::move(plan_);
  }

  void SkipEntry(int position) {
    const int node_index = plan_[position];
    skipped_.emplace_back(node_index, std::exchange(InvokeOf(node_index), DoNothing));
  }

 private:
  InvokeFunction& InvokeOf(int node_index) {
    return const_cast<TfLiteRegistration&>(subgraph_.node_and_registration(node_index)->second).invoke;
  }

  Subgraph& subgraph_;
  std::vector<int> plan_;
  std::vector<std::pair<int, InvokeFunction>> skipped_;
};

}  // namespace

TfLiteStatus InvokePart(Subgraph& subgraph, int first, int count, NodeProfiler* profiler) {
  const std::vector<int>& plan = subgraph.execution_plan();
  const auto is_webnn = [&](int position) {
    const auto& [node, registration] = *subgraph.node_and_registration(plan[position]);
    return WebnnKernelOf(node, registration) != nullptr;
  };
  // The results of WebNN partitions behind these entries need memory before the next part begins.
  int end = first + count;
  while (end < static_cast<int>(plan.size()) && is_webnn(end)) ++end;
  std::set<int64_t> skipped_nodes;
  ShortenedPlan shortened(subgraph, end);
  for (int position = 0; position < end; ++position) {
    if (position >= first && position < first + count) continue;
    shortened.SkipEntry(position);
    skipped_nodes.insert(plan[position]);
  }
  if (profiler != nullptr) profiler->Skip(std::move(skipped_nodes), subgraph.GetSubgraphIndex());
  const TfLiteStatus status = subgraph.Invoke();
  if (profiler != nullptr) profiler->Skip({}, -1);
  return status;
}

}  // namespace tflite::webnn
