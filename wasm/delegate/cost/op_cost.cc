#include "delegate/cost/op_cost.h"

#include "delegate/cost/cost_rates.h"
#include "delegate/ops/op_registry.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/op_table.h"
#include "xnnpack_kernels/dot_product.h"

namespace tflite::webnn {
namespace {

double CpuElement(const OpView& op) {
  const int code = op.builtin_code();
  if (code == kTfLiteBuiltinReshape || code == kTfLiteBuiltinBroadcastTo) return cpu_rates::kCopiedElement;
  const TfLiteType type = op.output(0).type();
  if (type == kTfLiteInt16) return cpu_rates::kInt16Element;
  return type == kTfLiteInt8 || type == kTfLiteUInt8 ? cpu_rates::kInt8Element : cpu_rates::kElement;
}

// Of float32 activations and weights that XNNPACK or TFLite reads as they are.
double DynamicProduct(const OpView& op, bool has_dots) {
  if (IsDepthwise(op)) {
    const bool is_large = op.input(1).dim(1) * op.input(1).dim(2) > 25;
    return is_large ? cpu_rates::kDynamicLargeDepthwiseProduct : cpu_rates::kDynamicDepthwiseProduct;
  }
  const TfLiteTensor& weights = op.input(1).tensor();
  const bool is_int4 = weights.type == kTfLiteInt4;
  if (!has_dots) return is_int4 ? cpu_rates::kInt4Product : cpu_rates::kDynamicProduct;
  const bool has_blocks = weights.quantization.type == kTfLiteBlockwiseQuantization;
  if (is_int4 && has_blocks) return cpu_rates::kInt4BlockProductOfDots;
  const bool is_int8_matrix = !is_int4 && op.builtin_code() == kTfLiteBuiltinFullyConnected;
  return is_int8_matrix ? cpu_rates::kDynamicMatrixProductOfDots : cpu_rates::kDynamicProductOfDots;
}

double CpuProduct(const OpView& op) {
  const bool has_dots = AcceptedDotProduct() != DotProduct::kNone;
  const TfLiteType type = op.output(0).type();
  if (type == kTfLiteInt16) return IsDepthwise(op) ? cpu_rates::kInt16DepthwiseProduct : cpu_rates::kInt16Product;
  if (type != kTfLiteFloat32) {
    if (IsDepthwise(op)) return cpu_rates::kInt8DepthwiseProduct;
    return has_dots ? cpu_rates::kInt8ProductOfDots : cpu_rates::kInt8Product;
  }
  const bool is_dynamic = HasWeights(op) && op.input(1).type() != kTfLiteFloat32;
  if (is_dynamic) return DynamicProduct(op, has_dots);
  return IsDepthwise(op) ? cpu_rates::kDepthwiseProduct : cpu_rates::kFloatProduct;
}

}  // namespace

double ElementCount(const OpView& op) {
  double elements = 0;
  for (int i = 0; i < op.output_count(); ++i) {
    if (!op.output(i).IsConstant()) elements += static_cast<double>(NumElements(&op.output(i).tensor()));
  }
  return elements;
}

double ProductCount(const OpView& op) {
  const OpEntry* row = FindOp(op);
  if (row == nullptr || row->products_per_element == nullptr) return 0;
  return ElementCount(op) * row->products_per_element(op);
}

bool HasWeights(const OpView& op) { return ProductCount(op) > 0 && op.HasInput(1) && op.input(1).IsConstant(); }

bool IsDepthwise(const OpView& op) { return op.builtin_code() == kTfLiteBuiltinDepthwiseConv2d; }

double TranscendentalCount(const OpView& op) {
  return HasTrait(op.builtin_code(), OpTrait::kTranscendental) ? ElementCount(op) : 0;
}

double CpuMs(const OpView& op) {
  const double elements = ElementCount(op);
  if (elements == 0) return 0;
  double ms = cpu_rates::kNode + elements * CpuElement(op);
  ms += TranscendentalCount(op) * cpu_rates::kTranscendentalElement;
  const double products = ProductCount(op);
  if (products > 0) ms += products * CpuProduct(op);
  if (HasWeights(op)) ms += static_cast<double>(op.input(1).tensor().bytes) * cpu_rates::kWeightByte;
  return ms;
}

double CpuMs(TfLiteContext* context) {
  const GraphView view(context);
  double ms = 0;
  for (const int node : view.nodes()) ms += CpuMs(view.op(node));
  return ms;
}

}  // namespace tflite::webnn
