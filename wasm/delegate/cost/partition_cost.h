#ifndef TFLITE_WEBNN_DELEGATE_COST_PARTITION_COST_H_
#define TFLITE_WEBNN_DELEGATE_COST_PARTITION_COST_H_

#include <string>

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

// Estimates by the rates of cost_rates.h (docs/explanation/delegate.md, "The cost rule"): they only separate partitions
// that hardly compute anything from those that do.
PartitionCost EstimateCost(const GraphView& view, const TfLiteDelegateParams& partition);

// "1 dispatch and 3200 bytes ...", for a rejection.
std::string CostText(const PartitionCost& cost);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_COST_PARTITION_COST_H_
