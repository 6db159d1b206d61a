#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// int16 is held in float32, which would keep what the integers of a coarse scale lose.
Operand LowerQuantizeToInt16(const OpView& op, GraphBuilder& builder) {
  const Operand x = builder.Tensor(op.input(0));
  const Operand scale = builder.Scalar(op.output(0).tensor().params.scale);
  const Operand integers = builder.Unary("roundEven", builder.Binary("div", x, scale));
  return builder.Binary("mul", integers, scale);
}

// QUANTIZE and DEQUANTIZE, also of float16: the builder adds the operators that the tensors' types need.
Operand LowerQuantize(const OpView& op, GraphBuilder& builder) {
  if (op.output(0).type() == kTfLiteInt16) return LowerQuantizeToInt16(op, builder);
  Operand input = builder.Tensor(op.input(0));
  if (builder.KeepsIntegers(input) && builder.WorksAround(Workaround::kMovedIntegers))
    input = builder.Unary("identity", input);
  const bool is_float16 = builder.descriptor(input).data_type == DataType::kFloat16;
  return is_float16 ? builder.Cast(input, DataType::kFloat32) : input;
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinQuantize, LowerQuantize, kReal, "dequantizeLinear, quantizeLinear; roundEven (int16)", ""},
    {kTfLiteBuiltinDequantize, LowerQuantize, kReal, "dequantizeLinear; cast (float16); constant", ""},
};

}  // namespace

constinit const OpEntries kQuantizeOps = kEntries;

}  // namespace tflite::webnn
