#include <algorithm>
#include <string>
#include <vector>

#include "delegate/ops/ops.h"

namespace tflite::webnn {
namespace {

struct BinaryRow {
  int builtin_code;
  const char* op;
  // Where the fused activation is, nullptr for ops that have none.
  TfLiteFusedActivation (*activation)(const OpView& op);
};

template <typename Params>
TfLiteFusedActivation ActivationOf(const OpView& op) {
  return op.params<Params>().activation;
}

constexpr BinaryRow kBinary[] = {
    {kTfLiteBuiltinAdd, "add", ActivationOf<TfLiteAddParams>},
    {kTfLiteBuiltinSub, "sub", ActivationOf<TfLiteSubParams>},
    {kTfLiteBuiltinMul, "mul", ActivationOf<TfLiteMulParams>},
    {kTfLiteBuiltinDiv, "div", ActivationOf<TfLiteDivParams>},
    {kTfLiteBuiltinMaximum, "max", nullptr},
    {kTfLiteBuiltinMinimum, "min", nullptr},
    {kTfLiteBuiltinPow, "pow", nullptr},
};

struct UnaryRow {
  int builtin_code;
  const char* op;
};

// Ops that are one WebNN operator of one operand. ROUND rounds half to even in TFLite too.
constexpr UnaryRow kUnary[] = {
    {kTfLiteBuiltinAbs, "abs"},
    {kTfLiteBuiltinCeil, "ceil"},
    {kTfLiteBuiltinCos, "cos"},
    {kTfLiteBuiltinElu, "elu"},
    {kTfLiteBuiltinExp, "exp"},
    {kTfLiteBuiltinFloor, "floor"},
    {kTfLiteBuiltinHardSwish, "hardSwish"},
    {kTfLiteBuiltinLog, "log"},
    {kTfLiteBuiltinLogistic, "sigmoid"},
    {kTfLiteBuiltinNeg, "neg"},
    {kTfLiteBuiltinRound, "roundEven"},
    {kTfLiteBuiltinSign, "sign"},
    {kTfLiteBuiltinSin, "sin"},
    {kTfLiteBuiltinSqrt, "sqrt"},
    {kTfLiteBuiltinTanh, "tanh"},
};

template <typename Row, size_t n>
const Row& FindRow(const Row (&rows)[n], int builtin_code) {
  size_t i = 0;
  while (i + 1 < n && rows[i].builtin_code != builtin_code) ++i;
  return rows[i];
}

// Integers: TFLite reports a division by zero, which WebNN does not, and Chromium 147's GPU process dies where the
// lowest int32 is divided by -1 (docs/browser-faults.md).
void CheckDivisors(const TensorView& divisors, GraphBuilder& builder) {
  if (divisors.type() != kTfLiteInt32) return;
  const std::vector<int> values = divisors.ConstantInts();
  const bool are_safe = std::none_of(values.begin(), values.end(), [](int value) { return value == 0 || value == -1; });
  if (values.empty() || !are_safe) {
    builder.Refuse("integers are divided by constants other than 0 and -1 only, found another divisor");
  }
}

// A cast to bool tests for zero, WebNN's cast to uint8 does not. Seen with one axis, as few axes may be compared.
Operand NotZero(Operand x, GraphBuilder& builder) {
  const OperandDescriptor found = builder.descriptor(x);
  const bool has_8_bits = found.data_type == DataType::kUint8 || found.data_type == DataType::kInt8;
  const DataType type = has_8_bits ? DataType::kInt32 : found.data_type;
  const Operand row = builder.Reshape(builder.Cast(x, type), {static_cast<int>(found.element_count())});
  return builder.Reshape(builder.Compare("notEqual", row, builder.Constant(type, {}, {0})), found.shape);
}

}  // namespace

void LowerBinary(const OpView& op, GraphBuilder& builder) {
  const BinaryRow& row = FindRow(kBinary, op.builtin_code());
  if (op.builtin_code() == kTfLiteBuiltinDiv) CheckDivisors(op.input(1), builder);
  const Operand output = builder.Binary(row.op, builder.Tensor(op.input(0)), builder.Tensor(op.input(1)));
  const TfLiteFusedActivation activation = row.activation ? row.activation(op) : kTfLiteActNone;
  builder.SetOutput(op, 0, builder.OutputActivation(op, output, activation));
}

void LowerUnary(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  Operand output;
  switch (op.builtin_code()) {
    case kTfLiteBuiltinSquare:
      output = builder.Binary("mul", input, input);
      break;
    case kTfLiteBuiltinRsqrt:
      output = builder.Unary("reciprocal", builder.Unary("sqrt", input));
      break;
    default:
      output = builder.Unary(FindRow(kUnary, op.builtin_code()).op, input);
  }
  builder.SetOutput(op, 0, output);
}

void LowerSquaredDifference(const OpView& op, GraphBuilder& builder) {
  const Operand difference = builder.Binary("sub", builder.Tensor(op.input(0)), builder.Tensor(op.input(1)));
  builder.SetOutput(op, 0, builder.Binary("mul", difference, difference));
}

void LowerCast(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.RawTensor(op.input(0));  // CAST takes int8 for a number, whatever its scale
  const auto type = DataTypeFromTfLite(op.output(0).type());
  if (builder.refused()) return;
  if (!type) {
    builder.Refuse(std::string("WebNN has no type ") + TfLiteTypeGetName(op.output(0).type()));
    return;
  }
  if (op.output(0).type() == kTfLiteBool && op.input(0).type() != kTfLiteBool) {
    builder.SetOutput(op, 0, NotZero(input, builder));
    return;
  }
  builder.SetOutput(op, 0, builder.Cast(input, *type));
}

}  // namespace tflite::webnn
