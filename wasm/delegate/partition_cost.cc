#include "delegate/partition_cost.h"

#include <cstdio>

#include "delegate/op_registry.h"
#include "kernels/dot_product.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

// Chromium 147, TFLite backend, one thread: write, dispatch and read take 0.12 to 0.17 ms for a tiny graph and
// 1.4 ms for 1M floats. XNNPACK in wasm takes 15 ms for MobileNetV2's 300M multiplications in float32; in int8 7 ms
// with relaxed SIMD's dot product, 10 ms without. WebNN takes half of that or less.
constexpr double kDispatchMs = 0.15;
constexpr double kMsPerBorderByte = 1.6e-7;
constexpr double kMsPerFloatProduct = 5e-8;
constexpr double kMsPerInt8Product = 3.3e-8;
constexpr double kMsPerInt8ProductOfDots = 2.3e-8;
constexpr double kMsPerElement = 1e-6;
constexpr double kSavedShare = 0.5;

double ProductsPerElement(const OpView& op) {
  const OpRow* row = FindOp(op);
  return row != nullptr && row->products_per_element != nullptr ? row->products_per_element(op) : 0;
}

double MsPerProduct(TfLiteType type) {
  if (type == kTfLiteFloat32) return kMsPerFloatProduct;
  return AcceptedDotProduct() == DotProduct::kNone ? kMsPerInt8Product : kMsPerInt8ProductOfDots;
}

double WorkMs(const OpView& op) {
  double elements = 0;
  for (int i = 0; i < op.output_count(); ++i) {
    if (!op.output(i).IsConstant()) elements += static_cast<double>(NumElements(&op.output(i).tensor()));
  }
  if (elements == 0) return 0;
  return elements * (kMsPerElement + ProductsPerElement(op) * MsPerProduct(op.input(0).type()));
}

double SizeBytes(const GraphView& view, const TfLiteIntArray& tensors) {
  double size_bytes = 0;
  for (int i = 0; i < tensors.size; ++i) {
    const TensorView tensor = view.tensor(tensors.data[i]);
    if (!tensor.IsConstant()) size_bytes += static_cast<double>(tensor.tensor().bytes);
  }
  return size_bytes;
}

}  // namespace

PartitionCost EstimateCost(const GraphView& view, const TfLiteDelegateParams& partition) {
  double work_ms = 0;
  for (int i = 0; i < partition.nodes_to_replace->size; ++i) {
    const OpView op = view.op(partition.nodes_to_replace->data[i]);
    if (op.HasInput(0)) work_ms += WorkMs(op);
  }
  const double border_bytes = SizeBytes(view, *partition.input_tensors) + SizeBytes(view, *partition.output_tensors);
  return {kDispatchMs + border_bytes * kMsPerBorderByte, work_ms * kSavedShare};
}

std::string CostText(const PartitionCost& cost) {
  char text[160];
  std::snprintf(text, sizeof(text),
                "dispatching its partition and copying the tensors at its border takes about %.2f ms, "
                "WebNN would save about %.2f ms",
                cost.border_ms, cost.saved_ms);
  return text;
}

}  // namespace tflite::webnn
