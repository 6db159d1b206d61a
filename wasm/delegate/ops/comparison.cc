#include <vector>

#include "delegate/ops/families.h"
#include "delegate/quantization/affine.h"

// Ops that accept or return booleans. A kTfLiteBool is a uint8 of 0 or 1, as in WebNN's logical and comparison
// operators.
namespace tflite::webnn {
namespace {

// Comparisons, LOGICAL_AND and LOGICAL_OR: two broadcast operands, result uint8. Some engines cannot compare
// 8-bit integers, including booleans: these go through int32.
Operand EmitComparison(const char* method, bool is_logical, const OpView& op, GraphBuilder& builder) {
  Operand operands[2];
  for (int i : {0, 1}) {
    operands[i] = builder.Tensor(op.input(i));
    const DataType type = builder.descriptor(operands[i]).data_type;
    const bool has_8_bits = type == DataType::kUint8 || type == DataType::kInt8;
    if (has_8_bits && !is_logical) operands[i] = builder.Cast(operands[i], DataType::kInt32);
    if (!IsQuantized(op.input(i).tensor())) continue;
    // TFLite rounds real numbers to multiples of 1/256.
    const Operand steps = builder.Scalar(256);
    operands[i] = builder.Unary("roundEven", builder.Binary("mul", operands[i], steps));
  }
  return builder.Compare(method, operands[0], operands[1]);
}

template <OperatorName kMethod>
Operand LowerComparison(const OpView& op, GraphBuilder& builder) {
  return EmitComparison(kMethod.text, /*is_logical=*/false, op, builder);
}

template <OperatorName kMethod>
Operand LowerLogical(const OpView& op, GraphBuilder& builder) {
  return EmitComparison(kMethod.text, /*is_logical=*/true, op, builder);
}

Operand LowerLogicalNot(const OpView& op, GraphBuilder& builder) {
  const Operand a = builder.Tensor(op.input(0));
  const OperandDescriptor output = builder.descriptor(a);
  return builder.Emit({"logicalNot", {{"a", a}}}, output);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinEqual, LowerComparison<"equal">, kReal, "equal", ""},
    {kTfLiteBuiltinNotEqual, LowerComparison<"notEqual">, kReal, "notEqual", ""},
    {kTfLiteBuiltinGreater, LowerComparison<"greater">, kReal, "greater", ""},
    {kTfLiteBuiltinGreaterEqual, LowerComparison<"greaterOrEqual">, kReal, "greaterOrEqual", ""},
    {kTfLiteBuiltinLess, LowerComparison<"lesser">, kReal, "lesser", ""},
    {kTfLiteBuiltinLessEqual, LowerComparison<"lesserOrEqual">, kReal, "lesserOrEqual", ""},
    {kTfLiteBuiltinLogicalAnd, LowerLogical<"logicalAnd">, kUnknown, "logicalAnd", ""},
    {kTfLiteBuiltinLogicalOr, LowerLogical<"logicalOr">, kUnknown, "logicalOr", ""},
    {kTfLiteBuiltinLogicalNot, LowerLogicalNot, kUnknown, "logicalNot", ""},
};

}  // namespace

constinit const OpEntries kComparisonOps = kEntries;

}  // namespace tflite::webnn
