#include <cmath>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

template <TfLiteFusedActivation kActivation>
Operand LowerActivation(const OpView& op, GraphBuilder& builder) {
  return builder.Activation(builder.Tensor(op.input(0)), kActivation);
}

Operand LowerRelu0To1(const OpView& op, GraphBuilder& builder) {
  return builder.Clamp(builder.Tensor(op.input(0)), 0.0f, 1.0f);
}

Operand LowerLeakyRelu(const OpView& op, GraphBuilder& builder) {
  const float alpha = op.params<TfLiteLeakyReluParams>().alpha;
  return builder.Unary("leakyRelu", builder.Tensor(op.input(0)), {{"alpha", alpha}});
}

// WebNN's gelu is exact. The approximation follows TFLite's order:
// 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
Operand LowerGelu(const OpView& op, GraphBuilder& builder) {
  constexpr float kSqrt2dPi = M_2_SQRTPI * M_SQRT1_2;
  const Operand x = builder.Tensor(op.input(0));
  if (!op.params<TfLiteGeluParams>().approximate) return builder.Unary("gelu", x);
  const auto scaled = [&](Operand operand, float factor) {
    return builder.Binary("mul", operand, builder.Scalar(factor));
  };
  const Operand cube = builder.Binary("mul", builder.Binary("mul", x, x), x);
  const Operand inner = scaled(builder.Binary("add", x, scaled(cube, 0.044715f)), kSqrt2dPi);
  const Operand one = builder.Scalar(1.0f);
  const Operand outer = builder.Binary("add", builder.Unary("tanh", inner), one);
  return builder.Binary("mul", scaled(x, 0.5f), outer);
}

Operand LowerPrelu(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const Operand slope = builder.Tensor(op.input(1));
  const OperandDescriptor output = builder.descriptor(input);
  return builder.Emit({"prelu", {{"input", input}, {"slope", slope}}}, output);
}

Operand LowerSoftmax(const OpView& op, GraphBuilder& builder) {
  Operand input = builder.Tensor(op.input(0));
  const float beta = op.params<TfLiteSoftmaxParams>().beta;
  const OperandDescriptor output = builder.descriptor(input);
  const int axis = output.rank() - 1;
  if (beta != 1.0f) {
    // As TFLite, which multiplies the differences from the largest: a product of a large number may be infinite.
    if (std::abs(beta) > 1.0f && axis >= 0) {
      input = builder.Binary("sub", input, builder.Reduce("reduceMax", input, {axis}, true));
    }
    input = builder.Binary("mul", input, builder.Scalar(beta));
  }
  return builder.Emit({"softmax", {{"input", input}}, {axis}}, output);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinRelu, LowerActivation<kTfLiteActRelu>, kReal, "relu; clamp (quantized)", ""},
    {kTfLiteBuiltinRelu6, LowerActivation<kTfLiteActRelu6>, kReal, "clamp", ""},
    {kTfLiteBuiltinReluN1To1, LowerActivation<kTfLiteActReluN1To1>, kReal, "clamp", ""},
    {kTfLiteBuiltinRelu0To1, LowerRelu0To1, kReal, "clamp", ""},
    {kTfLiteBuiltinLeakyRelu, LowerLeakyRelu, kReal, "leakyRelu", ""},
    {kTfLiteBuiltinGelu, LowerGelu, kReal, "gelu; mul, add, tanh (approximate)", ""},
    {kTfLiteBuiltinPrelu, LowerPrelu, kReal, "prelu", ""},
    {kTfLiteBuiltinSoftmax, LowerSoftmax, kReal, "softmax", ""},
};

}  // namespace

constinit const OpEntries kActivationOps = kEntries;

}  // namespace tflite::webnn
