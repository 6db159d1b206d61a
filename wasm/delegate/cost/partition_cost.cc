#include "delegate/cost/partition_cost.h"

#include <cstdio>

#include "delegate/cost/cost_rates.h"
#include "delegate/cost/op_cost.h"
#include "tensorflow/lite/context_util.h"

namespace tflite::webnn {
namespace {

// Of the CPU's time; WebNN takes half of it or less.
constexpr double kSavedShare = 0.5;

double SizeBytes(const GraphView& view, const TfLiteIntArray& tensors) {
  double size_bytes = 0;
  for (int index : TfLiteIntArrayView(&tensors)) {
    const TensorView tensor = view.tensor(index);
    if (!tensor.IsConstant()) size_bytes += static_cast<double>(tensor.tensor().bytes);
  }
  return size_bytes;
}

}  // namespace

PartitionCost EstimateCost(const GraphView& view, const TfLiteDelegateParams& partition) {
  double work_ms = 0;
  for (int node : TfLiteIntArrayView(partition.nodes_to_replace)) work_ms += CpuMs(view.op(node));
  const double boundary_bytes = SizeBytes(view, *partition.input_tensors) + SizeBytes(view, *partition.output_tensors);
  return {webnn_rates::kRun + boundary_bytes * webnn_rates::kBoundaryByte, work_ms * kSavedShare};
}

std::string CostText(const PartitionCost& cost) {
  char text[160];
  std::snprintf(text, sizeof(text),
                "dispatching its partition and copying the tensors at its boundary takes about %.2f ms, "
                "WebNN would save about %.2f ms",
                cost.boundary_ms, cost.saved_ms);
  return text;
}

}  // namespace tflite::webnn
