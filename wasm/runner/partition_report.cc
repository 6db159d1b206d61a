#include "runner/partition_report.h"

#include "runner/execution_plan.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {
namespace {

std::string OpName(const TfLiteRegistration& registration) {
  if (registration.custom_name != nullptr) return registration.custom_name;
  return EnumNameBuiltinOperator(static_cast<BuiltinOperator>(registration.builtin_code));
}

NodePlacement DescribeNode(const Subgraph& subgraph, int node_index) {
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  NodePlacement placement{node_index, OpName(registration), registration.version, "", -1, ""};
  if (node.outputs->size > 0) {
    const char* name = subgraph.tensor(node.outputs->data[0])->name;
    placement.name = name ? name : "";
  }
  return placement;
}

}  // namespace

PartitionReport ReportPartitions(const Subgraph& subgraph, const std::vector<int>& model_nodes,
                                 const std::map<int, std::string>& refusals, const std::string& default_reason) {
  PartitionReport report;
  for (int entry_index : subgraph.execution_plan()) {
    const auto& [node, registration] = *subgraph.node_and_registration(entry_index);
    if (const WebnnDelegateKernel* kernel = WebnnKernelOf(node, registration)) {
      report.partitions.push_back({true, kernel->nodes()});
      continue;
    }
    if (report.partitions.empty() || report.partitions.back().webnn) report.partitions.push_back({false, {}});
    report.partitions.back().nodes.push_back(entry_index);
  }
  std::map<int, int> partition_of;
  for (size_t i = 0; i < report.partitions.size(); ++i) {
    for (int node_index : report.partitions[i].nodes) partition_of[node_index] = static_cast<int>(i);
  }
  for (int node_index : model_nodes) {
    NodePlacement placement = DescribeNode(subgraph, node_index);
    const auto partition = partition_of.find(node_index);
    if (partition != partition_of.end()) placement.partition = partition->second;
    if (placement.partition < 0 || !report.partitions[placement.partition].webnn) {
      const auto refusal = refusals.find(node_index);
      placement.reason = refusal == refusals.end() ? default_reason : refusal->second;
    }
    report.nodes.push_back(std::move(placement));
  }
  return report;
}

}  // namespace tflite::webnn
