#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runtime/validate/node.h"
#include "runtime/validate/quantization_info.h"

namespace tflite::webnn {
namespace {

// XNNPACK's delegate accepts the tensors that pass CheckTensorFloatOrQUInt8Type() in xnnpack_delegate.cc.
bool IsAccepted(const Tensor* tensor) {
  if (!IsQuantized8(tensor)) return tensor->type() == TensorType_FLOAT32 || tensor->type() == TensorType_FLOAT16;
  return ScaleCount(tensor) == 1 && tensor->quantization()->quantized_dimension() == 0;
}

// Rejects what GetXNNPackDatatype() rejects in a tensor that the delegate accepts. It logs through a pointer that is
// null while the delegate looks for nodes.
Status ValidateAcceptedTensor(const Tensor* tensor, const char* name) {
  if (!IsQuantized8(tensor)) return {};
  const float scale = ScaleOf(tensor);
  if (!std::isnormal(scale) || scale < 0) return Malformed("has an ", name, " whose scale is ", ScaleText(scale));
  const auto* zero_points = tensor->quantization()->zero_point();
  if (SizeOf(zero_points) == 0) return {};
  const int lowest = tensor->type() == TensorType_UINT8 ? 0 : -128;
  const int32_t zero_point = static_cast<int32_t>(zero_points->Get(0));
  if (zero_point >= lowest && zero_point <= lowest + 255) return {};
  return Malformed("has an ", name, " with the zero point ", zero_point);
}

// The delegate accepts per-channel scales by the first zero point only; the others must be 0 as well.
Status ValidateChannels(const Tensor* tensor, int64_t dimension) {
  if (tensor->type() != TensorType_INT8 || ScaleCount(tensor) <= 1) return {};
  const QuantizationParameters& parameters = *tensor->quantization();
  const auto* points = parameters.zero_point();
  if (parameters.quantized_dimension() != dimension || SizeOf(points) == 0 || points->Get(0) != 0) return {};
  const bool are_zero = std::all_of(points->begin(), points->end(), [](int64_t point) { return point == 0; });
  return are_zero ? Status() : Malformed("has an input 1 with zero points of channels, of which the first is 0");
}

}  // namespace

Status ValidateProduct(const NodeInfo& node) {
  const Tensor* left = node.input(0);
  const Tensor* right = node.input(1);
  if (!IsAccepted(left)) return {};
  RETURN_IF_ERROR(ValidateAcceptedTensor(left, "input 0"));
  const BatchMatMulOptions* options = node.node().builtin_options_as_BatchMatMulOptions();
  const int from_end = options != nullptr && options->adj_y() ? 2 : 1;
  return ValidateChannels(right, SizeOf(right->shape()) - from_end);
}

Status ValidateQuantize(const NodeInfo& node) {
  if (!IsAccepted(node.input(0)) || !IsAccepted(node.output(0))) return {};
  RETURN_IF_ERROR(ValidateAcceptedTensor(node.input(0), "input"));
  return ValidateAcceptedTensor(node.output(0), "output");
}

}  // namespace tflite::webnn
