#include "runtime/execute/partition_report.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "delegate/model/op_name.h"
#include "runtime/execute/execution_plan.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {
namespace {

NodePlacement DescribeNode(const Subgraph& subgraph, int node_index) {
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  NodePlacement placement;
  placement.node_index = node_index;
  placement.op = OpName(registration);
  placement.version = registration.version;
  if (node.outputs->size > 0) {
    const char* name = subgraph.tensor(node.outputs->data[0])->name;
    placement.name = name ? name : "";
  }
  return placement;
}

// The tensors that the nodes read and write, without constants.
struct Access {
  std::vector<int> read;
  std::vector<int> written;
};

Access AccessOf(const Subgraph& subgraph, const std::vector<int>& nodes) {
  Access access;
  const auto append = [&subgraph](const TfLiteIntArray* tensors, std::vector<int>& list) {
    for (int tensor : TfLiteIntArrayView(tensors)) {
      if (tensor >= 0 && !IsConstantOrPersistentTensor(subgraph.tensor(tensor))) list.push_back(tensor);
    }
  };
  for (int node_index : nodes) {
    const TfLiteNode& node = subgraph.node_and_registration(node_index)->first;
    append(node.inputs, access.read);
    append(node.outputs, access.written);
  }
  return access;
}

constexpr int kCaller = -1, kSeveral = -2;

// The partition that reads each tensor; or the caller, or several of them.
std::map<int, int> ReadersOf(const Subgraph& subgraph, const std::vector<int>& model_nodes,
                             const std::map<int, int>& partition_of) {
  std::map<int, int> readers;
  for (int tensor : subgraph.outputs()) readers[tensor] = kCaller;
  for (int node_index : model_nodes) {
    const auto partition = partition_of.find(node_index);
    const int reader = partition == partition_of.end() ? kSeveral : partition->second;
    for (int tensor : AccessOf(subgraph, {node_index}).read) {
      const auto [known, is_new] = readers.try_emplace(tensor, reader);
      if (!is_new && known->second != reader) known->second = kSeveral;
    }
  }
  return readers;
}

void FindCpuBoundary(const Subgraph& subgraph, const std::map<int, int>& readers, int index, Partition& partition) {
  const Access own = AccessOf(subgraph, partition.nodes);
  std::set<int> seen(own.written.begin(), own.written.end());
  for (int tensor : own.read) {
    if (seen.insert(tensor).second) partition.inputs.push_back(tensor);
  }
  std::set<int> unseen(own.written.begin(), own.written.end());
  for (int tensor : own.written) {
    const auto reader = readers.find(tensor);
    if (reader == readers.end() || reader->second == index) continue;
    if (unseen.erase(tensor)) partition.outputs.push_back(tensor);
  }
}

void FindBoundary(const Subgraph& subgraph, const std::map<int, int>& readers, int index, Partition& partition) {
  if (partition.kernel == nullptr) return FindCpuBoundary(subgraph, readers, index, partition);
  for (const auto& input : partition.kernel->graph().inputs) partition.inputs.push_back(input.tensor_index);
  for (const auto& output : partition.kernel->graph().outputs) partition.outputs.push_back(output.tensor_index);
}

// The partitions in the order of the plan, and the nodes that the delegate folded.
std::vector<Partition> FindPartitions(const Subgraph& subgraph, std::set<int>& folded) {
  std::vector<Partition> partitions;
  for (int entry_index : subgraph.execution_plan()) {
    const auto& [node, registration] = *subgraph.node_and_registration(entry_index);
    const WebnnDelegateKernel* kernel = WebnnKernelOf(node, registration);
    if (kernel != nullptr && !kernel->graph().outputs.empty()) {
      partitions.push_back({kernel, kernel->nodes(), {}, {}});
      continue;
    }
    if (partitions.empty() || partitions.back().kernel) partitions.push_back({nullptr, {}, {}, {}});
    std::vector<int>& nodes = partitions.back().nodes;
    if (kernel == nullptr) {
      nodes.push_back(entry_index);
    } else {
      nodes.insert(nodes.end(), kernel->nodes().begin(), kernel->nodes().end());
      folded.insert(kernel->nodes().begin(), kernel->nodes().end());
    }
  }
  return partitions;
}

std::map<int, std::vector<std::string>> OpsByNode(const std::vector<Partition>& partitions) {
  std::map<int, std::vector<std::string>> ops;
  for (const Partition& partition : partitions) {
    if (partition.kernel == nullptr) continue;
    for (const auto& node : partition.kernel->graph().operators) ops[std::atoi(node.label.c_str())].push_back(node.op);
  }
  return ops;
}

// A quantized node on the CPU uses TFLite's integer kernels, even if WebNN could have run it.
NodeLowering LoweringOf(const NodePlacement& placement, const WebnnDelegate& delegate) {
  const auto found = delegate.lowerings().find(placement.node_index);
  if (found == delegate.lowerings().end() || found->second.form == QuantizedForm::kNone) return {};
  if (!placement.reason.empty()) return {QuantizedForm::kCpu, ""};
  return found->second;
}

// Adds what the delegate found out about the node.
void AddResults(const WebnnDelegate& delegate, NodePlacement& placement) {
  const int node_index = placement.node_index;
  placement.supported = !delegate.rejections().count(node_index) || delegate.supported().count(node_index);
  placement.lowering = LoweringOf(placement, delegate);
  const auto pattern = delegate.patterns().find(node_index);
  if (pattern != delegate.patterns().end() && placement.reason.empty()) {
    placement.pattern = {pattern->second.row->name, pattern->second.nodes.back()};
  }
}

std::string ReasonOf(int node_index, const Composites& composites, const WebnnDelegate* delegate,
                     const std::string& default_reason) {
  const auto kept = composites.kept.find(node_index);
  if (kept != composites.kept.end()) return kept->second;
  const bool is_rejected = delegate != nullptr && delegate->rejections().count(node_index);
  return is_rejected ? delegate->rejections().at(node_index) : default_reason;
}

}  // namespace

PartitionReport ReportPartitions(const Subgraph& subgraph, const std::vector<int>& model_nodes,
                                 const Composites& composites, const WebnnDelegate* delegate,
                                 const std::string& default_reason) {
  PartitionReport report;
  std::set<int> folded;
  report.partitions = FindPartitions(subgraph, folded);
  if (delegate != nullptr) report.workarounds = delegate->workarounds();
  std::map<int, int> partition_of;
  for (size_t i = 0; i < report.partitions.size(); ++i) {
    for (int node_index : report.partitions[i].nodes) partition_of[node_index] = static_cast<int>(i);
  }
  const std::map<int, int> readers = ReadersOf(subgraph, model_nodes, partition_of);
  for (size_t i = 0; i < report.partitions.size(); ++i) {
    FindBoundary(subgraph, readers, static_cast<int>(i), report.partitions[i]);
    if (report.partitions[i].kernel != nullptr) {
      report.workarounds.Add(report.partitions[i].kernel->graph().workarounds);
    }
  }
  const std::map<int, std::vector<std::string>> ops = OpsByNode(report.partitions);
  report.nodes.reserve(model_nodes.size());
  for (int node_index : model_nodes) {
    NodePlacement placement = DescribeNode(subgraph, node_index);
    const auto partition = partition_of.find(node_index);
    if (partition != partition_of.end()) placement.partition = partition->second;
    if (placement.partition < 0 || report.partitions[placement.partition].kernel == nullptr) {
      placement.reason = ReasonOf(node_index, composites, delegate, default_reason);
      if (folded.count(node_index)) placement.reason = "it is computed once, while the model is loaded";
    }
    if (delegate != nullptr) AddResults(*delegate, placement);
    const auto origin = composites.origins.find(node_index);
    if (origin != composites.origins.end()) placement.composite = origin->second;
    const auto node_ops = ops.find(node_index);
    if (node_ops != ops.end()) placement.webnn_ops = node_ops->second;
    report.nodes.push_back(std::move(placement));
  }
  return report;
}

bool HasCpuNodes(const PartitionReport& report) {
  const auto is_on_cpu = [](const Partition& partition) { return partition.kernel == nullptr; };
  return std::any_of(report.partitions.begin(), report.partitions.end(), is_on_cpu);
}

}  // namespace tflite::webnn
