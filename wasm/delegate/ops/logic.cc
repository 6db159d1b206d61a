#include <vector>

#include "delegate/ops/ops.h"

// Ops on and to truth values. A kTfLiteBool is an uint8 of 0 or 1, which is what WebNN's logical and
// comparison operators take and give.
namespace tflite::webnn {
namespace {

const char* ComparisonOperator(int builtin_code) {
  switch (builtin_code) {
    case kTfLiteBuiltinEqual:
      return "equal";
    case kTfLiteBuiltinNotEqual:
      return "notEqual";
    case kTfLiteBuiltinGreater:
      return "greater";
    case kTfLiteBuiltinGreaterEqual:
      return "greaterOrEqual";
    case kTfLiteBuiltinLess:
      return "lesser";
    case kTfLiteBuiltinLessEqual:
      return "lesserOrEqual";
    case kTfLiteBuiltinLogicalAnd:
      return "logicalAnd";
    default:
      return "logicalOr";
  }
}

}  // namespace

// Comparisons, LOGICAL_AND and LOGICAL_OR: two operands, broadcast, to uint8. Engines need not compare
// integers of eight bits, which truth values are, too: they go by int32.
void LowerComparison(const OpView& op, GraphBuilder& builder) {
  const bool is_logical = op.builtin_code() == kTfLiteBuiltinLogicalAnd || op.builtin_code() == kTfLiteBuiltinLogicalOr;
  Operand operands[2];
  for (int i : {0, 1}) {
    operands[i] = builder.Tensor(op.input(i));
    if (builder.refused()) return;
    const DataType type = builder.descriptor(operands[i]).data_type;
    const bool has_8_bits = type == DataType::kUint8 || type == DataType::kInt8;
    if (has_8_bits && !is_logical) operands[i] = builder.Cast(operands[i], DataType::kInt32);
  }
  builder.SetOutput(op, 0, builder.Compare(ComparisonOperator(op.builtin_code()), operands[0], operands[1]));
}

void LowerLogicalNot(const OpView& op, GraphBuilder& builder) {
  const Operand a = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const OperandDescriptor output = builder.descriptor(a);
  builder.SetOutput(op, 0, builder.Emit({"logicalNot", {{"a", a}}}, output));
}

// SELECT_V2 broadcasts. SELECT wants equal shapes, or a condition of rank 1 that chooses whole rows.
void LowerSelect(const OpView& op, GraphBuilder& builder) {
  Operand condition = builder.Tensor(op.input(0));
  const Operand if_true = builder.Tensor(op.input(1));
  const Operand if_false = builder.Tensor(op.input(2));
  if (builder.refused()) return;
  const int rank = builder.descriptor(if_true).rank();
  if (op.builtin_code() == kTfLiteBuiltinSelect && builder.descriptor(condition).rank() == 1 && rank > 1) {
    std::vector<int> rows(rank, 1);
    rows[0] = builder.shape(condition)[0];
    condition = builder.Reshape(condition, rows);
  }
  builder.SetOutput(op, 0, builder.Where(condition, if_true, if_false));
}

}  // namespace tflite::webnn
