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

}  // namespace

void LowerBinary(const OpView& op, GraphBuilder& builder) {
  const BinaryRow& row = FindRow(kBinary, op.builtin_code());
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

// FLOOR_DIV, FLOOR_MOD and SQUARED_DIFFERENCE. The first two on floats only: WebNN divides integers
// towards zero.
void LowerComposedBinary(const OpView& op, GraphBuilder& builder) {
  const Operand a = builder.Tensor(op.input(0));
  const Operand b = builder.Tensor(op.input(1));
  if (builder.refused()) return;
  if (op.builtin_code() == kTfLiteBuiltinSquaredDifference) {
    const Operand difference = builder.Binary("sub", a, b);
    builder.SetOutput(op, 0, builder.Binary("mul", difference, difference));
    return;
  }
  const DataType type = builder.descriptor(a).data_type;
  if (type != DataType::kFloat32 && type != DataType::kFloat16) {
    builder.Refuse(std::string("WebNN divides integers towards zero, found ") + DataTypeName(type));
    return;
  }
  const Operand quotient = builder.Unary("floor", builder.Binary("div", a, b));
  const bool is_mod = op.builtin_code() == kTfLiteBuiltinFloorMod;
  builder.SetOutput(op, 0, is_mod ? builder.Binary("sub", a, builder.Binary("mul", quotient, b)) : quotient);
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
    builder.Refuse("a cast to bool tests for zero, WebNN's cast to uint8 does not");
    return;
  }
  builder.SetOutput(op, 0, builder.Cast(input, *type));
}

}  // namespace tflite::webnn
