#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "delegate/ops/families.h"

// Arithmetic beyond the single operators of elementwise.cc.
namespace tflite::webnn {
namespace {

bool ReadDivisors(const TensorView& tensor, std::vector<double>* divisors) {
  if (!tensor.IsConstant()) return false;
  if (tensor.type() == kTfLiteFloat32) {
    const std::vector<float> floats = tensor.ConstantFloats();
    divisors->assign(floats.begin(), floats.end());
  } else {
    const std::vector<int> ints = tensor.ConstantInts();
    divisors->assign(ints.begin(), ints.end());
  }
  return !divisors->empty();
}

// Division and multiplication by such a number are exact, except near the ends of float32.
bool IsModeratePowerOfTwo(double divisor) {
  constexpr int kLargestExponent = 20;
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(divisor), &exponent);
  return mantissa == 0.5 && std::abs(exponent) <= kLargestExponent;
}

// 1 where `x` is negative, else 0.
Operand IsNegative(Operand x, DataType type, GraphBuilder& builder) {
  return builder.Cast(builder.Compare("lesser", x, builder.Scalar(type, 0)), type);
}

// WebNN divides integers toward zero: subtract one if the remainder is negative.
Operand FloorQuotient(Operand a, Operand b, bool is_float, DataType type, GraphBuilder& builder) {
  const Operand quotient = builder.Binary("div", a, b);
  if (is_float) return builder.Unary("floor", quotient);
  const Operand remainder = builder.Binary("sub", a, builder.Binary("mul", quotient, b));
  return builder.Binary("sub", quotient, IsNegative(remainder, type, builder));
}

constexpr double kLargestInt64Divisor = 1 << 20;

// FLOOR_MOD of int64, which WebNN cannot divide, by constants from 2 to 2^20. A quotient of float32 has 22 right bits,
// so that each iteration leaves a remainder of at most the divisor more than 2^-22 of the one before it. Products and
// differences may wrap: only the remainder must fit.
Operand RemainderInt64(Operand a, Operand b, const std::vector<double>& divisors, GraphBuilder& builder) {
  constexpr int kIterations = 3;  // 2^63 / 2^66 is less than 1
  const DataType type = DataType::kInt64;
  std::vector<float> reciprocals;
  for (double divisor : divisors) reciprocals.push_back(static_cast<float>(1 / divisor));
  const Operand reciprocal = builder.Constant(builder.shape(b), reciprocals);
  const auto subtract = [&](Operand count) { a = builder.Binary("sub", a, builder.Binary("mul", count, b)); };
  for (int i = 0; i < kIterations; ++i) {
    subtract(builder.Cast(builder.Binary("mul", builder.Cast(a, DataType::kFloat32), reciprocal), type));
  }
  a = builder.Binary("add", a, builder.Binary("mul", IsNegative(a, type, builder), b));
  subtract(builder.Cast(builder.Compare("greaterOrEqual", a, b), type));
  return a;
}

// FLOOR_DIV and FLOOR_MOD. TFLite divides floats in double precision and computes exact remainders, which float32
// matches only for powers of two. Unlike WebNN, it reports integer division by zero.
Operand EmitFloorDivision(const OpView& op, bool is_mod, GraphBuilder& builder) {
  const Operand a = builder.Tensor(op.input(0));
  const Operand b = builder.Tensor(op.input(1));
  const DataType type = builder.descriptor(a).data_type;
  const bool is_float = op.input(0).type() == kTfLiteFloat32;
  std::vector<double> divisors;
  const bool is_exact =
      ReadDivisors(op.input(1), &divisors) && std::all_of(divisors.begin(), divisors.end(), [is_float](double divisor) {
        return is_float ? IsModeratePowerOfTwo(divisor) : divisor > 0;
      });
  if (!is_exact) {
    return builder.Reject(is_float ? "float32 is exact for constant powers of two only, found another divisor"
                                   : "integers are divided by positive constants only, found another divisor");
  }
  if (is_mod && type == DataType::kInt64) {
    const auto is_large = [](double divisor) { return divisor < 2 || divisor > kLargestInt64Divisor; };
    if (std::any_of(divisors.begin(), divisors.end(), is_large))
      return builder.Reject("int64 is divided by constants from 2 to 2^20 only, found another divisor");
    return RemainderInt64(a, b, divisors, builder);
  }
  const Operand quotient = FloorQuotient(a, b, is_float, type, builder);
  return is_mod ? builder.Binary("sub", a, builder.Binary("mul", quotient, b)) : quotient;
}

Operand LowerFloorDiv(const OpView& op, GraphBuilder& builder) {
  return EmitFloorDivision(op, /*is_mod=*/false, builder);
}
Operand LowerFloorMod(const OpView& op, GraphBuilder& builder) {
  return EmitFloorDivision(op, /*is_mod=*/true, builder);
}

// The larger or smaller of two. Of a number and NaN, TFLite's kernel returns the first, and WebNN's engines either.
template <OperatorName kMethod, OperatorName kComparison>
Operand LowerStablehloExtremum(const OpView& op, GraphBuilder& builder) {
  const Operand a = builder.Tensor(op.input(0));
  const Operand b = builder.Tensor(op.input(1));
  if (op.input(0).type() != kTfLiteFloat32) return builder.Binary(kMethod.text, a, b);
  return builder.Where(builder.Compare(kComparison.text, a, b), b, a);
}

// Rejects sums and products of booleans.
template <OperatorName kMethod>
Operand LowerStablehloArithmetic(const OpView& op, GraphBuilder& builder) {
  const Operand a = builder.Tensor(op.input(0));
  const Operand b = builder.Tensor(op.input(1));
  if (op.input(0).type() == kTfLiteBool) builder.Reject("WebNN has no arithmetic on booleans");
  return builder.Binary(kMethod.text, a, b);
}

// AND is bitwise, except on booleans.
Operand LowerStablehloAnd(const OpView& op, GraphBuilder& builder) {
  const Operand a = builder.Tensor(op.input(0));
  const Operand b = builder.Tensor(op.input(1));
  if (op.input(0).type() != kTfLiteBool) builder.Reject("WebNN has no operators on bits, only on booleans");
  return builder.Compare("logicalAnd", a, b);
}

Operand LowerAddN(const OpView& op, GraphBuilder& builder) {
  Operand sum = builder.Tensor(op.input(0));
  for (int i = 1; i < op.input_count(); ++i) sum = builder.Binary("add", sum, builder.Tensor(op.input(i)));
  return sum;
}

// Rounds to the 2^bits - 1 steps between min and max, in the order of TFLite's FakeQuantizeArray. TFLite rounds
// halves up, unlike WebNN's roundEven.
Operand LowerFakeQuant(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteFakeQuantParams>();
  if (params.num_bits < 2 || params.num_bits > 16 || !(params.min < params.max))
    return builder.Reject("the range must have min < max and 2 to 16 bits");
  const float last_step = static_cast<float>((1 << params.num_bits) - 1);
  const float scale = (params.max - params.min) / last_step;
  const float zero_point = std::round(std::clamp(-params.min / scale, 0.0f, last_step));
  const Operand low = builder.Scalar(-zero_point * scale);
  const Operand high = builder.Scalar((last_step - zero_point) * scale);
  const Operand x = builder.Tensor(op.input(0));
  const Operand above = builder.Where(builder.Compare("greater", x, low), x, low);  // NaN becomes `low`
  const Operand shifted = builder.Binary("sub", builder.Binary("min", above, high), low);
  const Operand steps = builder.Binary("mul", shifted, builder.Scalar(1.0f / scale));
  const Operand floored = builder.Unary("floor", steps);
  const Operand rounds_up =
      builder.Compare("greaterOrEqual", builder.Binary("sub", steps, floored), builder.Scalar(0.5f));
  const Operand rounded = builder.Binary("add", floored, builder.Cast(rounds_up, DataType::kFloat32));
  return builder.Binary("add", builder.Binary("mul", rounded, builder.Scalar(scale)), low);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinStablehloAdd, LowerStablehloArithmetic<"add">, kUnknown, "add", "bool"},
    {kTfLiteBuiltinStablehloMultiply, LowerStablehloArithmetic<"mul">, kUnknown, "mul", "bool"},
    {kTfLiteBuiltinStablehloMaximum, LowerStablehloExtremum<"max", "lesser">, kCopied, "max; lesser, where (float32)",
     ""},
    {kTfLiteBuiltinStablehloMinimum, LowerStablehloExtremum<"min", "greater">, kCopied, "min; greater, where (float32)",
     ""},
    {kTfLiteBuiltinStablehloAnd, LowerStablehloAnd, kUnknown, "logicalAnd", "integers"},
    {kTfLiteBuiltinAddN, LowerAddN, kUnknown, "add", ""},
    {kTfLiteBuiltinFloorDiv, LowerFloorDiv, kUnknown, "div, floor; mul, sub, lesser, cast (integers)",
     "float divisors other than constant powers of two; integer divisors other than positive constants"},
    {kTfLiteBuiltinFloorMod, LowerFloorMod, kUnknown, "div, floor, mul, sub; lesser, cast (integers)",
     "as FLOOR_DIV; int64 divisors other than 2 to 2^20"},
    {kTfLiteBuiltinFakeQuant, LowerFakeQuant, kUnknown, "greater, where, min, sub, mul, floor, greaterOrEqual, add",
     ""},
};

}  // namespace

constinit const OpEntries kArithmeticOps = kEntries;

}  // namespace tflite::webnn
