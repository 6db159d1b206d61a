#include <algorithm>
#include <cstdint>

#include "runner/node_check.h"

namespace tflite::webnn {
namespace {

bool IsQuantized(const Tensor* tensor) {
  return tensor != nullptr && (tensor->type() == TensorType_INT8 || tensor->type() == TensorType_UINT8);
}

// INT16 is quantized only with a scale; without one kernels take it for an integer.
bool MayBeQuantized(const Tensor* tensor) {
  return IsQuantized(tensor) || (tensor != nullptr && tensor->type() == TensorType_INT16 && tensor->quantization() &&
                                 SizeOf(tensor->quantization()->scale()) > 0);
}

// What kernels take for a tensor's scale: its only one, else 0.
double ScaleOf(const Tensor* tensor) {
  const QuantizationParameters* parameters = tensor ? tensor->quantization() : nullptr;
  const bool has_one = parameters != nullptr && SizeOf(parameters->scale()) == 1 &&
                       parameters->details_type() != QuantizationDetails_BlockwiseQuantization;
  return has_one ? parameters->scale()->Get(0) : 0;
}

std::string ScaleText(const NodeFacts& node) {
  return "computes with quantization scales that cannot be: " + std::to_string(ScaleOf(node.input(0))) +
         (node.input_count() > 1 ? ", " + std::to_string(ScaleOf(node.input(1))) : "") + " to " +
         std::to_string(ScaleOf(node.output(0)));
}

// Outside of these, products and quotients of scales are no float32 any more. Converters stay far within.
constexpr double kSmallestScale = 0x1p-40;
constexpr double kLargestScale = 0x1p40;

bool IsUsableScale(const Tensor* tensor) { return ScaleOf(tensor) > kSmallestScale && ScaleOf(tensor) < kLargestScale; }

// Kernels divide by the scale of the result: by 0 where it is missing.
bool HasResultScale(const NodeFacts& node, int input = 0) {
  const bool is_integer = IsQuantized(node.output(0)) || node.output(0)->type() == TensorType_INT16;
  if (!MayBeQuantized(node.input(input)) || !is_integer) return true;
  return IsUsableScale(node.output(0)) && ScaleOf(node.input(0)) < kLargestScale &&
         ScaleOf(node.input(1)) < kLargestScale;
}

bool HasInputScales(const NodeFacts& node) { return IsUsableScale(node.input(0)) && IsUsableScale(node.input(1)); }

// The four below give their result the second input's type, whatever the file says.
bool IsQuantizedArithmetic(const NodeFacts& node) {
  return MayBeQuantized(node.input(0)) || MayBeQuantized(node.input(1));
}

// The larger input's scale, doubled, over the output's in fixed point, must be below 1 (add.cc, sub.cc).
bool CanAdd(const NodeFacts& node) {
  const bool is_int16 = node.input(1)->type() == TensorType_INT16;
  const bool int16_needs_scales = node.op() == BuiltinOperator_SUB;
  if (!IsQuantizedArithmetic(node) && !(is_int16 && int16_needs_scales)) return true;
  const double twice_largest = 2 * std::max(ScaleOf(node.input(0)), ScaleOf(node.input(1)));
  const int64_t shifted = int64_t{1} << (is_int16 ? 15 : 20);
  return HasInputScales(node) && twice_largest < shifted * ScaleOf(node.output(0));
}

// The same for the square of the difference (squared_difference.cc).
bool CanSquare(const NodeFacts& node) {
  if (!IsQuantizedArithmetic(node)) return true;
  const double twice_largest = 2 * std::max(ScaleOf(node.input(0)), ScaleOf(node.input(1)));
  return HasInputScales(node) && twice_largest * twice_largest < (1 << 14) * ScaleOf(node.output(0));
}

// The second input's scale is divided by as well (div.cc).
bool CanDivide(const NodeFacts& node) {
  return !IsQuantizedArithmetic(node) || (HasInputScales(node) && IsUsableScale(node.output(0)));
}

// Both inputs are scaled before they are compared (comparisons.cc).
bool CanCompare(const NodeFacts& node) { return !MayBeQuantized(node.input(0)) || HasInputScales(node); }

// The kernel divides by the scale of every result but int32, also of a float one (batch_matmul.cc). XNNPACK's delegate
// wants one scale, of int8 weights also one a channel, and has nobody to tell where there is none.
bool CanMultiplyMatrices(const NodeFacts& node) {
  const bool is_integer = node.input(0)->type() == TensorType_INT8 || node.input(0)->type() == TensorType_INT16;
  if (is_integer && node.output(0)->type() != TensorType_INT32 && !IsUsableScale(node.output(0))) return false;
  if (!HasResultScale(node)) return false;
  if (!IsQuantized(node.input(0)) || !IsQuantized(node.input(1))) return true;
  const QuantizationParameters* weights = node.input(1)->quantization();
  const bool is_per_channel = node.input(1)->type() == TensorType_INT8 && weights && SizeOf(weights->scale()) > 1;
  return IsUsableScale(node.input(0)) && (is_per_channel || IsUsableScale(node.input(1)));
}

bool CanCompute(const NodeFacts& node) {
  switch (node.op()) {
    case BuiltinOperator_ADD:
    case BuiltinOperator_SUB:
      return CanAdd(node);
    case BuiltinOperator_BATCH_MATMUL:
      return CanMultiplyMatrices(node);
    case BuiltinOperator_DIV:
      return CanDivide(node);
    case BuiltinOperator_SQUARED_DIFFERENCE:
      return CanSquare(node);
    case BuiltinOperator_EQUAL:
    case BuiltinOperator_GREATER:
    case BuiltinOperator_GREATER_EQUAL:
    case BuiltinOperator_LESS:
    case BuiltinOperator_LESS_EQUAL:
    case BuiltinOperator_NOT_EQUAL:
      return CanCompare(node);
    case BuiltinOperator_AVERAGE_POOL_2D:
    case BuiltinOperator_CONV_2D:
    case BuiltinOperator_DEPTHWISE_CONV_2D:
    case BuiltinOperator_FULLY_CONNECTED:
    case BuiltinOperator_HARD_SWISH:
    case BuiltinOperator_LEAKY_RELU:
    case BuiltinOperator_MEAN:
    case BuiltinOperator_MUL:
    case BuiltinOperator_PRELU:
    case BuiltinOperator_QUANTIZE:
    case BuiltinOperator_REDUCE_PROD:
    case BuiltinOperator_RELU:
    case BuiltinOperator_RELU6:
    case BuiltinOperator_RELU_0_TO_1:
    case BuiltinOperator_RELU_N1_TO_1:
    case BuiltinOperator_SUM:
    case BuiltinOperator_SVDF:
      return HasResultScale(node);
    case BuiltinOperator_TRANSPOSE_CONV:
      return HasResultScale(node, 2);
    default:
      return true;
  }
}

}  // namespace

std::string QuantizationProblem(const NodeFacts& node) { return CanCompute(node) ? "" : ScaleText(node); }

}  // namespace tflite::webnn
