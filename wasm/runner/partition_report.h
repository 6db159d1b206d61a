#ifndef TFLITE_WEBNN_RUNNER_PARTITION_REPORT_H_
#define TFLITE_WEBNN_RUNNER_PARTITION_REPORT_H_

#include <map>
#include <string>
#include <vector>

#include "tensorflow/lite/core/subgraph.h"

namespace tflite::webnn {

// Where a node of the model runs.
struct NodePlacement {
  int node_index;
  std::string op;
  int version;
  std::string name;    // of the node's first output tensor
  int partition = -1;  // index into PartitionReport::partitions
  std::string reason;  // why it stays on the CPU; empty for delegated nodes
};

// An ordered subset of the plan, as TFLite's partitioning made it.
struct Partition {
  bool webnn;
  std::vector<int> nodes;  // node indices
};

struct PartitionReport {
  std::vector<NodePlacement> nodes;
  std::vector<Partition> partitions;
};

// Reads the partitions off a subgraph to which the WebNN delegate (and no other) was applied, or none.
// `model_nodes` is the execution plan from before; `refusals` are reasons by node index;
// `default_reason` is for nodes on the CPU that have no reason of their own.
PartitionReport ReportPartitions(const Subgraph& subgraph, const std::vector<int>& model_nodes,
                                 const std::map<int, std::string>& refusals, const std::string& default_reason);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_PARTITION_REPORT_H_
