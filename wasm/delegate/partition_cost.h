#ifndef TFLITE_WEBNN_DELEGATE_PARTITION_COST_H_
#define TFLITE_WEBNN_DELEGATE_PARTITION_COST_H_

#include <string>

#include "delegate/graph_view.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// What a partition costs on WebNN beyond its work, and what WebNN saves of the work; estimates in
// milliseconds for one run.
struct PartitionCost {
  double border_ms;  // one dispatch, and copying the tensors that cross the border
  double saved_ms;

  bool IsWorthIt() const { return border_ms <= saved_ms; }
};

// Estimates from the nodes' multiplications and the sizes of tensors. The constants behind it were measured
// on one machine (docs/architecture.md, "The cost rule"): they tell a partition that hardly computes anything
// from one that does, not more.
PartitionCost EstimateCost(const GraphView& view, const TfLiteDelegateParams& partition);

// "1 dispatch and 3200 bytes ...", for a refusal.
std::string CostText(const PartitionCost& cost);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_PARTITION_COST_H_
