#include "runtime/execute/session.h"

#include <set>
#include <utility>
#include <vector>

#include "delegate/model/op_name.h"
#include "runtime/execute/execution_plan.h"
#include "runtime/rewrite/mutable_node.h"
#include "third_party/compat/include/empty_results.h"

namespace tflite::webnn {
namespace {

using InvokeFunction = decltype(TfLiteRegistration::invoke);

TfLiteStatus DoNothing(TfLiteContext*, TfLiteNode*) { return kTfLiteOk; }

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
  InvokeFunction& InvokeOf(int node_index) { return MutableNode(subgraph_, node_index).second.invoke; }

  Subgraph& subgraph_;
  std::vector<int> plan_;
  std::vector<std::pair<int, InvokeFunction>> skipped_;
};

// Runs the entries [first, first + count) of the plan of a subgraph with dynamic tensors: as a part of TFLite's own
// Invoke(), which allocates memory for such tensors, and prepares the nodes that depend on them. Earlier entries must
// have run. `profiler` may be null.
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

}  // namespace

Status Session::Invoke() {
  was_invoked_ = true;
  if (subgraph().Invoke() == kTfLiteOk) return {};
  return reporter_.Fail(error_code::kInvokeFailed, "the model could not be run");
}

Status Session::InvokeSteps(int first, int count) {
  Subgraph& graph = subgraph();
  const std::vector<int>& plan = graph.execution_plan();
  if (first < 0 || count < 0 || first > static_cast<int>(plan.size()) - count) {
    return reporter_.Fail(error_code::kInvokeFailed, "there are no ", count, " plan entries from ", first, " on");
  }
  was_invoked_ = true;
  if (graph.HasDynamicTensors()) {
    if (InvokePart(graph, first, count, profiler_) == kTfLiteOk) return {};
    return reporter_.Fail(error_code::kInvokeFailed, "plan entries ", first, " to ", first + count - 1,
                          " could not be run");
  }
  for (int position = first; position < first + count; ++position) {
    auto& [node, registration] = MutableNode(graph, plan[position]);
    if (HasNothingToCompute(*graph.context(), node)) continue;
    // A delegate that measures its own operators, such as XNNPACK, is not also measured as one node.
    const bool measures_itself =
        node.delegate != nullptr && (node.delegate->flags & kTfLiteDelegateFlagsPerOperatorProfiling) != 0;
    const ScopedOperatorProfile profile(measures_itself ? nullptr : profiler_, OpName(registration), plan[position]);
    if (registration.invoke == nullptr || registration.invoke(graph.context(), &node) != kTfLiteOk) {
      return reporter_.Fail(error_code::kInvokeFailed, "plan entry ", position, " (", OpName(registration),
                            ") could not be run");
    }
  }
  return {};
}

Status Session::InvokeSubgraph(int subgraph_index) {
  if (!allocated_subgraphs_.count(subgraph_index)) {
    return reporter_.Fail(error_code::kInvokeFailed, "subgraph ", subgraph_index, " is not allocated");
  }
  was_invoked_ = true;
  if (interpreter_->subgraph(subgraph_index)->Invoke() == kTfLiteOk) return {};
  return reporter_.Fail(error_code::kInvokeFailed, "subgraph ", subgraph_index, " could not be run");
}

Status Session::ResizeTensorBytes(int tensor_index, int subgraph_index, size_t size_bytes) {
  TfLiteTensor* resized = tensor(tensor_index, subgraph_index);
  const bool is_resizable = resized != nullptr && resized->allocation_type == kTfLiteDynamic;
  if (is_resizable && TfLiteTensorRealloc(size_bytes, resized) == kTfLiteOk) return {};
  return reporter_.Fail(error_code::kInvokeFailed, "tensor ", tensor_index, " cannot be resized to ", size_bytes,
                        " bytes");
}

Status Session::ResetState() {
  std::set<int> subgraphs = allocated_subgraphs_;
  subgraphs.insert(main_subgraph());
  for (int index : subgraphs) {
    if (interpreter_->subgraph(index)->ResetVariableTensors() != kTfLiteOk) {
      return reporter_.Fail(error_code::kInvokeFailed, "the variable tensors could not be reset");
    }
  }
  // All subgraphs share the resources. CALL_ONCE initializes them again in the next run.
  subgraph().resources().clear();
  subgraph().initialization_status_map().clear();
  return {};
}

Status Session::ResetVariables() {
  if (interpreter_->ResetVariableTensors() == kTfLiteOk) return {};
  return reporter_.Fail(error_code::kInvokeFailed, "the variable tensors could not be reset");
}

std::vector<int> Session::inputs() const {
  const std::vector<int>& all = subgraph().inputs();
  return {all.begin(), all.end() - static_cast<std::ptrdiff_t>(variables().outside.size())};
}

std::vector<int> Session::outputs() const {
  const std::vector<int>& all = subgraph().outputs();
  return {all.begin(), all.end() - static_cast<std::ptrdiff_t>(variables().outside.size())};
}

TfLiteTensor* Session::tensor(int index, int subgraph_index) const {
  if (interpreter_ == nullptr) return nullptr;
  Subgraph* graph = interpreter_->subgraph(subgraph_index);
  if (graph == nullptr || index < 0 || index >= static_cast<int>(graph->tensors_size())) return nullptr;
  return graph->tensor(index);
}

char* Session::ExchangeTensorData(int index, int subgraph_index, char* data) const {
  TfLiteTensor* found = tensor(index, subgraph_index);
  // TFLite plans memory during a run only for dynamic tensors. Inputs and outputs never share memory with others.
  if (found == nullptr || found->allocation_type != kTfLiteArenaRw || found->data.raw == nullptr ||
      interpreter_->subgraph(subgraph_index)->HasDynamicTensors()) {
    return nullptr;
  }
  return std::exchange(found->data.raw, data);
}

std::vector<XnnpackExclusions::Node> Session::xnnpack_exclusions() const {
  std::vector<XnnpackExclusions::Node> nodes = constraints_.xnnpack_exclusions.nodes();
  if (xnnpack_partitions_ == nullptr) return nodes;
  const auto later = xnnpack_partitions_->NodesOnKernels();
  nodes.insert(nodes.end(), later.begin(), later.end());
  return nodes;
}

}  // namespace tflite::webnn
