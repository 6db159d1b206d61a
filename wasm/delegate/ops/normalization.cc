#include <algorithm>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// Reduces the last axis to size 1.
Operand ReduceLast(const char* method, Operand x, GraphBuilder& builder) {
  const int axis = builder.descriptor(x).rank() - 1;
  return axis < 0 ? builder.Reject("a scalar has no last axis") : builder.Reduce(method, x, {axis}, true);
}

// x / max(|x|, 1e-6), with TFLite's bound.
Operand LowerL2Normalization(const OpView& op, GraphBuilder& builder) {
  constexpr float kEpsilon = 1e-6f;
  const Operand input = builder.Tensor(op.input(0));
  const Operand norm = ReduceLast("reduceL2", input, builder);
  const Operand output = builder.Binary("div", input, builder.Binary("max", norm, builder.Scalar(kEpsilon)));
  return builder.Activation(output, op.params<TfLiteL2NormParams>().activation);
}

// (x - max) + log(max(softmax(x))): XNNPACK's exp, also that of browsers, returns 0 for NaN, softmax keeps it.
Operand LowerLogSoftmax(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const Operand shifted = builder.Binary("sub", input, ReduceLast("reduceMax", input, builder));
  const OperandDescriptor descriptor = builder.descriptor(input);
  const Operand softmax = builder.Emit({"softmax", {{"input", input}}, {descriptor.rank() - 1}}, descriptor);
  const Operand scale = builder.Unary("log", ReduceLast("reduceMax", softmax, builder));
  return builder.Binary("add", shifted, scale);
}

// x / (bias + alpha * (sum of x^2 over the channels within radius)) ^ beta. A product with a banded
// matrix of ones computes the sum; it is its own transpose, which is what TFLite and XNNPACK compute.
Operand LowerLocalResponseNormalization(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteLocalResponseNormParams>();
  const Operand input = builder.Tensor(op.input(0));
  if (params.radius < 0) return builder.Reject("the radius must not be negative");
  if (op.input(0).rank() < 1) return builder.Reject("a scalar has no channels");
  const std::vector<int> shape = builder.shape(input);
  const int channels = op.input(0).dim(-1);
  if (!builder.CanMake(int64_t{channels} * channels)) return Operand();
  const int radius = std::min(params.radius, channels);
  std::vector<float> band(static_cast<size_t>(channels) * channels, 0.0f);
  for (int row = 0; row < channels; ++row) {
    const int last = std::min(row + radius, channels - 1);
    for (int column = std::max(row - radius, 0); column <= last; ++column) band[row * channels + column] = 1.0f;
  }
  const int rows = static_cast<int>(builder.descriptor(input).element_count() / channels);
  const Operand squares = builder.Reshape(builder.Binary("mul", input, input), {rows, channels});
  const Operand ones = builder.Constant({channels, channels}, band);
  const Operand sums = builder.Emit({"gemm", {{"a", squares}, {"b", ones}}, {}, {{"bTranspose", true}}},
                                    {builder.descriptor(input).data_type, {rows, channels}});
  const Operand scaled = builder.Binary("mul", sums, builder.Scalar(params.alpha));
  const Operand base = builder.Binary("add", scaled, builder.Scalar(params.bias));
  const Operand divisor = builder.Binary("pow", base, builder.Scalar(params.beta));
  return builder.Binary("div", input, builder.Reshape(divisor, shape));
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinL2Normalization, LowerL2Normalization, kReal, "reduceL2, max, div", ""},
    {kTfLiteBuiltinLogSoftmax, LowerLogSoftmax, kReal, "reduceMax, sub, softmax, log, add", ""},
    {kTfLiteBuiltinLocalResponseNormalization, LowerLocalResponseNormalization, kUnknown, "mul, gemm, add, pow, div",
     ""},
};

}  // namespace

constinit const OpEntries kNormalizationOps = kEntries;

}  // namespace tflite::webnn
