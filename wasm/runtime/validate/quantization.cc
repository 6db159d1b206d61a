#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/validate/node.h"
#include "runtime/validate/quantization_info.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {
namespace {

// The quotients below use float or double as the kernels do: the type decides which overflow.

// QuantizeMultiplier() aborts on infinity only. NaN becomes 0.
bool IsMultiplier(double value) { return value != std::numeric_limits<double>::infinity(); }

// QuantizeMultiplierSmallerThanOneExp(). A value that rounds to 1 in 31 bits is too large as well.
bool IsFraction(double value) {
  if (!(value > 0 && value < 1)) return false;
  int32_t bits;
  int shift;
  QuantizeMultiplier(value, &bits, &shift);
  return shift <= 0;
}

bool IsPowerOfTwo(float scale) {
  int exponent;
  return CheckedLog2(scale, &exponent);
}

}  // namespace

// One input and the output: this function divides as float, CanRescale() as double.
bool CanRescaleInFloat(const NodeInfo& node) {
  return !IsInteger(node.input(0)) || IsMultiplier(ScaleOf(node.input(0)) / ScaleOf(node.output(0)));
}

bool CanRescale(const NodeInfo& node) {
  const double input_scale = ScaleOf(node.input(0));
  const bool is_quantized_int32 = node.op() == BuiltinOperator_QUANTIZE && node.input(0)->type() == TensorType_INT32;
  if (!IsInteger(node.input(0)) && !is_quantized_int32) return true;
  return IsMultiplier(input_scale / ScaleOf(node.output(0)));
}

// add.cc, sub.cc. Kernels may shift instead if scales are powers of two.
bool CanAdd(const NodeInfo& node) {
  const AddOptions* add_options = node.node().builtin_options_as_AddOptions();
  const SubOptions* sub_options = node.node().builtin_options_as_SubOptions();
  const Tensor* inputs[] = {node.input(0), node.input(1)};
  const bool is_sub = node.op() == BuiltinOperator_SUB;
  if (!IsInteger(inputs[1]) || inputs[0]->type() != inputs[1]->type()) return true;
  const float scales[] = {ScaleOf(inputs[0]), ScaleOf(inputs[1]), ScaleOf(node.output(0))};
  if (IsInt16(inputs[1])) {
    // ADD prepares by its first input what it computes by its output.
    if (!is_sub && !HasQuantization(inputs[0])) return !HasQuantization(node.output(0));
    const bool may_shift =
        (add_options && add_options->pot_scale_int16()) || (sub_options && sub_options->pot_scale_int16());
    if (may_shift && std::all_of(std::begin(scales), std::end(scales), IsPowerOfTwo)) return true;
  }
  const int shift = IsInt16(inputs[1]) ? 15 : 20;
  const double twice_largest = 2 * std::max(scales[0], scales[1]);
  const double output = twice_largest / (1.0 * (1 << shift) * scales[2]);
  const bool has_output = IsFraction(output) || (is_sub && output > 1 && IsMultiplier(output));
  return IsFraction(scales[0] / twice_largest) && IsFraction(scales[1] / twice_largest) && has_output;
}

// squared_difference.cc
bool CanSquareDifference(const NodeInfo& node) {
  if (node.input(0)->type() != TensorType_INT8 || node.input(1)->type() != TensorType_INT8) return true;
  const float scales[] = {ScaleOf(node.input(0)), ScaleOf(node.input(1))};
  const double twice_largest = 2 * std::max(scales[0], scales[1]);
  const double output = twice_largest * twice_largest / ((1 << 14) * ScaleOf(node.output(0)));
  return IsFraction(scales[0] / twice_largest) && IsFraction(scales[1] / twice_largest) && IsFraction(output);
}

// mul.cc
bool CanMultiply(const NodeInfo& node) {
  const Tensor* output = node.output(0);
  if (!IsQuantized8(output) && !(IsInt16(output) && HasQuantization(output))) return true;
  return IsMultiplier(ScaleOf(node.input(0)) * ScaleOf(node.input(1)) / ScaleOf(output));
}

// div.cc. The result gets the second input's type, whatever the file says.
bool CanDivide(const NodeInfo& node) {
  if (!IsInteger(node.input(1)) || node.input(0)->type() != node.input(1)->type()) return true;
  return IsMultiplier(ScaleOf(node.input(0)) / (ScaleOf(node.input(1)) * ScaleOf(node.output(0))));
}

// comparisons.cc. One function needs a scale below 1, the other one above 1: neither accepts 1 itself.
bool CanCompare(const NodeInfo& node) {
  const bool compares_int16 = node.op() == BuiltinOperator_EQUAL || node.op() == BuiltinOperator_NOT_EQUAL;
  const Tensor* first = node.input(0);
  const bool is_scaled = IsQuantized8(first) || (compares_int16 && IsInt16(first) && HasQuantization(first));
  if (!is_scaled || first->type() != node.input(1)->type()) return true;
  const auto can_scale = [](double scale) { return scale < 1 ? IsFraction(scale) : scale > 1; };
  return can_scale(ScaleOf(first)) && can_scale(ScaleOf(node.input(1)));
}

// kernel_util.cc, PopulateConvolutionQuantizationParams(); fully_connected.cc does the same with per-channel scales.
bool CanConvolve(const NodeInfo& node, int input_index) {
  const Tensor* input = node.input(input_index);
  const Tensor* filter = node.input(1);
  if (!IsInteger(input)) return true;
  const double output_scale = ScaleOf(node.output(0));
  for (int64_t i = 0; i < ScaleCount(filter); ++i) {
    if (!IsMultiplier(double{ScaleOf(input)} * ScaleAt(filter, i) / output_scale)) return false;
  }
  const bool has_float_product = node.op() == BuiltinOperator_FULLY_CONNECTED || input->type() == TensorType_UINT8;
  return !has_float_product || IsMultiplier(ScaleOf(input) * ScaleOf(filter) / output_scale);
}

// batch_matmul.cc divides by the result's scale for every type but int32, even for floats.
bool CanMultiplyMatrices(const NodeInfo& node) {
  const Tensor* left = node.input(0);
  const Tensor* output = node.output(0);
  const bool is_scaled = left->type() == TensorType_INT8 || left->type() == TensorType_INT16;
  if (!is_scaled || output->type() == TensorType_INT32) return true;
  return IsMultiplier(double{ScaleOf(left) * ScaleOf(node.input(1))} / ScaleOf(output));
}

// From here to CanSoftmax(): activations.cc.
bool CanHardSwish(const NodeInfo& node) {
  if (!IsQuantized8(node.output(0))) return true;
  const float input_scale = (1.0f / 128.0f) * ScaleOf(node.input(0));
  return IsMultiplier(input_scale / ScaleOf(node.output(0))) && IsMultiplier(input_scale / (3.0f / 32768.0f));
}

bool CanLeakyRelu(const NodeInfo& node) {
  const LeakyReluOptions* options = node.node().builtin_options_as_LeakyReluOptions();
  const float alpha = options ? options->alpha() : 0;
  if (!IsInteger(node.output(0))) return true;
  return CanRescaleInFloat(node) && IsMultiplier(ScaleOf(node.input(0)) * alpha / ScaleOf(node.output(0)));
}

bool CanPrelu(const NodeInfo& node) {
  if (!IsInteger(node.input(0))) return true;
  const float product = ScaleOf(node.input(0)) * ScaleOf(node.input(1));
  return CanRescaleInFloat(node) && IsMultiplier(product / ScaleOf(node.output(0)));
}

bool CanSoftmax(const NodeInfo& node) {
  const SoftmaxOptions* options = node.node().builtin_options_as_SoftmaxOptions();
  if (!IsInt16(node.input(0))) return true;
  return IsMultiplier(ScaleOf(node.input(0)) * (options ? options->beta() : 0) / (10.0 / 65535.0));
}

// elementwise.cc
bool AcceptsAbsolutes(const NodeInfo& node) {
  return !IsInteger(node.input(0)) || IsMultiplier(FirstScale(node.input(0)) / FirstScale(node.output(0)));
}

bool AcceptsReciprocalRoots(const NodeInfo& node) {
  if (node.input(0)->type() != TensorType_INT8) return true;
  return IsMultiplier(1.0 / (std::sqrt(FirstScale(node.input(0))) * FirstScale(node.output(0))));
}

// svdf.cc. Input 4 is the state.
bool CanFilterInTime(const NodeInfo& node) {
  if (node.input(0)->type() != TensorType_INT8) return true;
  const float state_scale = FirstScale(node.input(4));
  return IsMultiplier(FirstScale(node.input(0)) * FirstScale(node.input(1)) / state_scale) &&
         IsMultiplier(state_scale * FirstScale(node.input(2)) / FirstScale(node.output(0)));
}

namespace {

// Whether a kernel reads several scales of an input: those of its weights' channels, and of a bias.
bool ReadsScalesOfChannels(const NodeInfo& node, int input) {
  const auto weights = FindWeightInputs(node.op());
  return weights && (input == weights->weights || input == weights->bias);
}

Status ValidateScaleCounts(const NodeInfo& node) {
  const auto has_several = [](const Tensor* tensor) {
    const bool is_narrow = tensor && (tensor->type() == TensorType_INT4 || tensor->type() == TensorType_INT2);
    return (IsInteger(tensor) || is_narrow) && ScaleCount(tensor) > 1;
  };
  for (int i = 0; i < node.input_count(); ++i) {
    if (!has_several(node.input(i)) || ReadsScalesOfChannels(node, i)) continue;
    return Malformed("has several scales of input ", i, ", of which its kernel reads none; convert the model ",
                     "again with one scale for it");
  }
  if (!has_several(node.output(0))) return {};
  return Malformed("has several scales of its output; convert the model again with one scale for it");
}

Status ScalesError(const NodeInfo& node) {
  const std::string second = node.input_count() > 1 ? ", " + ScaleText(ScaleOf(node.input(1))) : "";
  return Malformed("has quantization scales that do not fit a fixed-point multiplier: ",
                   ScaleText(ScaleOf(node.input(0))), second, " to ", ScaleText(ScaleOf(node.output(0))));
}

}  // namespace

Status ValidateMultiplier(const NodeInfo& node, ScaleCheck fit) { return fit(node) ? Status() : ScalesError(node); }

// The kernels of these ops read the scale of a tensor that has one, and 0 else. BATCH_MATMUL's does, too, but runs as
// in native LiteRT.
Status ValidateOneScale(const NodeInfo& node, ScaleCheck fit) {
  return fit == nullptr || fit(node) ? ValidateScaleCounts(node) : ScalesError(node);
}

}  // namespace tflite::webnn
