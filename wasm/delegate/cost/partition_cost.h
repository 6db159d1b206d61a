#ifndef TFLITE_WEBNN_DELEGATE_COST_PARTITION_COST_H_
#define TFLITE_WEBNN_DELEGATE_COST_PARTITION_COST_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "delegate/model/graph_view.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// A partition's overhead on WebNN, and the compute time that WebNN saves: estimates in milliseconds
// for one run.
struct PartitionCost {
  double boundary_ms;  // one dispatch, and copying the tensors that cross the boundary
  double saved_ms;

  bool IsWorthIt() const { return boundary_ms <= saved_ms; }
};

// Estimates by the rates of cost_rates.h (docs/delegate.md, "The cost rule"): they only separate partitions that
// hardly compute anything from those that do.
PartitionCost EstimateCost(const GraphView& view, const TfLiteDelegateParams& partition);

// "1 dispatch and 3200 bytes ...", for a rejection.
std::string CostText(const PartitionCost& cost);

// TensorFlow Lite looks at all nodes of a graph for each partition of a delegate. A delegate gets none where both
// numbers multiply to more.
inline constexpr int64_t kMaxPartitionedNodes = 20'000'000;

// How often a plan comes to nodes that the delegate takes: the number of partitions, if none of them are joined.
int64_t CountPartitions(const std::vector<int>& plan, const std::function<bool(int)>& takes);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_COST_PARTITION_COST_H_
