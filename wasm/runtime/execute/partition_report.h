#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_PARTITION_REPORT_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_PARTITION_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "delegate/quantization/quantized_form.h"
#include "delegate/webnn_delegate_impl.h"
#include "delegate/webnn_delegate_kernel.h"
#include "runtime/rewrite/rewrites.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite::webnn {

// The pattern that a node was lowered with.
struct PatternOrigin {
  std::string name;    // such as "layer normalization"
  int node_index = 0;  // the node that has the pattern's WebNN operators
};

// Where a node of the model runs.
struct NodePlacement {
  int node_index = -1;
  std::string op;
  int version = 0;
  std::string name;        // of the node's first output tensor
  int partition = -1;      // index into PartitionReport::partitions
  std::string reason;      // why it stays on the CPU; empty for delegated nodes
  bool supported = false;  // whether WebNN can run it, although it may stay on the CPU for the sake of other nodes
  NodeLowering lowering;
  std::optional<CompositeOrigin> composite;
  std::optional<PatternOrigin> pattern;
  std::vector<std::string> webnn_ops;  // emitted for it, in order; none for folded constants
};

// An ordered subset of the plan, as TFLite's partitioning created it.
struct Partition {
  const WebnnDelegateKernel* kernel;  // null on the CPU
  std::vector<int> nodes;             // node indices
  // Tensors that cross its boundary: those it reads from elsewhere, and those that other nodes or the caller read.
  std::vector<int> inputs;
  std::vector<int> outputs;
};

struct PartitionReport {
  std::vector<NodePlacement> nodes;
  std::vector<Partition> partitions;
  Workarounds workarounds;  // those used
};

// Reads the partitions of a subgraph to which `delegate`, or none if it is null, was applied. `model_nodes` is the
// execution plan before that, `default_reason` that of nodes on the CPU for which neither `composites` nor the delegate
// has one.
PartitionReport ReportPartitions(const Subgraph& subgraph, const std::vector<int>& model_nodes,
                                 const Composites& composites, const WebnnDelegate* delegate,
                                 const std::string& default_reason);

// Whether WebNN has left nodes to the CPU.
bool HasCpuNodes(const PartitionReport& report);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_PARTITION_REPORT_H_
