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
  std::map<int, std::string> folded;
  for (int entry_index : subgraph.execution_plan()) {
    const auto& [node, registration] = *subgraph.node_and_registration(entry_index);
    const WebnnDelegateKernel* kernel = WebnnKernelOf(node, registration);
    if (kernel != nullptr && !kernel->graph().outputs.empty()) {
      report.partitions.push_back({true, kernel->nodes()});
      continue;
    }
    if (report.partitions.empty() || report.partitions.back().webnn) report.partitions.push_back({false, {}});
    std::vector<int>& nodes = report.partitions.back().nodes;
    if (kernel == nullptr) {
      nodes.push_back(entry_index);
    } else {
      nodes.insert(nodes.end(), kernel->nodes().begin(), kernel->nodes().end());
      for (int node_index : kernel->nodes()) folded[node_index] = "it is computed once, while the model is loaded";
    }
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
      if (folded.count(node_index)) placement.reason = folded[node_index];
    }
    report.nodes.push_back(std::move(placement));
  }
  return report;
}

}  // namespace tflite::webnn
