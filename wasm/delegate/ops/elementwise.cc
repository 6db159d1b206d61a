#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "delegate/ops/families.h"
#include "tensorflow/lite/kernels/internal/common.h"

namespace tflite::webnn {
namespace {

// Integers: unlike WebNN, TFLite reports division by zero.
void CheckDivisors(const TensorView& divisors, GraphBuilder& builder) {
  if (divisors.type() != kTfLiteInt32) return;
  const std::vector<int> values = divisors.ConstantInts();
  if (values.empty() || std::count(values.begin(), values.end(), 0) > 0) {
    builder.Reject("integers are divided by constants other than 0 only, found another divisor");
  } else if (std::count(values.begin(), values.end(), -1) > 0 && builder.WorksAround(Workaround::kDivisionByMinusOne)) {
    builder.Reject("the browser crashes where the lowest integer is divided by -1", Workaround::kDivisionByMinusOne);
  }
}

// A cast to bool tests for zero; WebNN's cast to uint8 does not. Reshaped to one axis, as comparisons limit the rank.
Operand NotZero(Operand x, GraphBuilder& builder) {
  const OperandDescriptor found = builder.descriptor(x);
  const bool has_8_bits = found.data_type == DataType::kUint8 || found.data_type == DataType::kInt8;
  const DataType type = has_8_bits ? DataType::kInt32 : found.data_type;
  const Operand row = builder.Reshape(builder.Cast(x, type), {static_cast<int>(found.element_count())});
  return builder.Reshape(builder.Compare("notEqual", row, builder.Scalar(type, 0)), found.shape);
}

Operand EmitBinary(const char* method, TfLiteFusedActivation activation, const OpView& op, GraphBuilder& builder) {
  const Operand output = builder.Binary(method, builder.Tensor(op.input(0)), builder.Tensor(op.input(1)));
  return builder.OutputActivation(op, output, activation);
}

// `Params` holds the fused activation; void for ops without one.
template <OperatorName kMethod, typename Params = void>
Operand LowerBinary(const OpView& op, GraphBuilder& builder) {
  if constexpr (std::is_void_v<Params>) {
    return EmitBinary(kMethod.text, kTfLiteActNone, op, builder);
  } else {
    return EmitBinary(kMethod.text, op.params<Params>().activation, op, builder);
  }
}

Operand LowerDiv(const OpView& op, GraphBuilder& builder) {
  CheckDivisors(op.input(1), builder);
  return EmitBinary("div", op.params<TfLiteDivParams>().activation, op, builder);
}

Operand EmitUnary(const char* method, const OpView& op, GraphBuilder& builder) {
  return builder.Unary(method, builder.Tensor(op.input(0)));
}

template <OperatorName kMethod>
Operand LowerUnary(const OpView& op, GraphBuilder& builder) {
  return EmitUnary(kMethod.text, op, builder);
}

Operand LowerSquare(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  return builder.Binary("mul", input, input);
}

bool IsQuantizedInt16(const TensorView& tensor) {
  return tensor.type() == kTfLiteInt16 && IsQuantized(tensor.tensor());
}

// Whether TFLite's table of the function has numbers only: not for a scale of 0, nor where the function overflows. Its
// kernel converts what it then has to int16, which C++ does not define.
bool IsTabulated(float (*function)(float, const void*), const void* parameters, float input_scale, float output_scale) {
  constexpr int kHalfStep = 64;
  constexpr float kLargest = 1e30f;  // in steps of the output: two of them can be added
  if (!(output_scale >= std::numeric_limits<float>::min())) return false;
  for (int i = std::numeric_limits<int16_t>::min(); i <= std::numeric_limits<int16_t>::max() + 1; i += kHalfStep) {
    if (!(std::abs(function(i * input_scale, parameters) / output_scale) <= kLargest)) return false;
  }
  return true;
}

// A function of int16 as TFLite computes it: between 513 values it is linear. Where it is steep, that is far from the
// function itself: of 32767 steps, the first 128 are one line. All numbers are integers that float32 holds exactly.
Operand LowerInterpolated(float (*function)(float, const void*), const void* parameters, const OpView& op,
                          GraphBuilder& builder) {
  const Operand x = builder.Tensor(op.input(0));
  const float input_scale = op.input(0).tensor().params.scale;
  const float output_scale = op.output(0).tensor().params.scale;
  if (!IsTabulated(function, parameters, input_scale, output_scale))
    return builder.Reject("the function's values do not fit the output's scale");
  int16_t table[LUTSize<int16_t>()];
  LUTPopulate<int16_t>(input_scale, 0, output_scale, 0, function, parameters, table);
  std::vector<float> starts, rises;
  for (int i = 0; i + 1 < LUTSize<int16_t>(); ++i) {
    starts.push_back(table[i]);
    rises.push_back(static_cast<int16_t>(table[i + 1] - table[i]));
  }
  const std::vector<int> table_shape = {static_cast<int>(starts.size())};
  const Operand width = builder.Scalar(128), per_width = builder.Scalar(1.0f / 128);
  const Operand steps = builder.Unary("roundEven", builder.Binary("div", x, builder.Scalar(input_scale)));
  const Operand line = builder.Unary("floor", builder.Binary("mul", steps, per_width));
  const Operand offset = builder.Binary("sub", steps, builder.Binary("mul", line, width));
  const Operand index = builder.Cast(builder.Binary("add", line, builder.Scalar(256)), DataType::kInt32);
  const Operand start = builder.Gather(builder.Constant(table_shape, starts), index, 0);
  const Operand rise = builder.Binary("mul", builder.Gather(builder.Constant(table_shape, rises), index, 0), offset);
  const Operand rounded =
      builder.Unary("floor", builder.Binary("mul", builder.Binary("add", rise, builder.Scalar(64)), per_width));
  return builder.Binary("mul", builder.Binary("add", start, rounded), builder.Scalar(output_scale));
}

// The lowest number of a quantized output where x has no logarithm.
Operand LowestIfNotPositive(Operand x, Operand log, const TensorView& output, GraphBuilder& builder) {
  const auto quantization = ReadAffineQuantization(output.tensor());
  if (!quantization.ok()) return builder.Reject(output.text() + " " + quantization.status.message());
  const float lowest = (RangeOf(output.type()).min - quantization->zero_points[0]) * quantization->scales[0];
  return builder.Where(builder.Compare("greater", x, builder.Scalar(0)), log, builder.Scalar(lowest));
}

// TFLite's integer kernels report roots of negative numbers.
void CheckNotNegative(const TensorView& input, GraphBuilder& builder) {
  if (!IsQuantized(input.tensor())) return;
  const auto quantization = ReadAffineQuantization(input.tensor());
  if (quantization.ok() && quantization->zero_points[0] <= RangeOf(input.type()).min) return;
  builder.Reject("TFLite reports roots of negative numbers, which " + input.text() + " may hold");
}

Operand LowerExp(const OpView& op, GraphBuilder& builder) {
  if (!IsQuantizedInt16(op.input(0))) return EmitUnary("exp", op, builder);
  return LowerInterpolated([](float x, const void*) { return std::exp(x); }, nullptr, op, builder);
}

Operand LowerLog(const OpView& op, GraphBuilder& builder) {
  if (!IsQuantizedInt16(op.input(0))) {
    const Operand x = builder.Tensor(op.input(0));
    const Operand log = builder.Unary("log", x);
    const Operand result = IsQuantized(op.input(0).tensor()) ? LowestIfNotPositive(x, log, op.output(0), builder) : log;
    return result;
  }
  const float lowest = std::numeric_limits<int16_t>::min() * op.output(0).tensor().params.scale;
  const auto function = [](float x, const void* lowest) {
    return x <= 0 ? *static_cast<const float*>(lowest) : std::log(x);
  };
  return LowerInterpolated(function, &lowest, op, builder);
}

Operand LowerRsqrt(const OpView& op, GraphBuilder& builder) {
  if (IsQuantizedInt16(op.input(0))) {
    const float greatest = std::numeric_limits<int16_t>::max() * op.output(0).tensor().params.scale;
    const auto function = [](float x, const void* greatest) {
      return x <= 0 ? *static_cast<const float*>(greatest) : 1 / std::sqrt(x);
    };
    return LowerInterpolated(function, &greatest, op, builder);
  }
  CheckNotNegative(op.input(0), builder);
  return builder.Unary("reciprocal", builder.Unary("sqrt", builder.Tensor(op.input(0))));
}

// NaN has no sign; engines return 0.
Operand LowerSign(const OpView& op, GraphBuilder& builder) {
  const Operand x = builder.Tensor(op.input(0));
  const Operand sign = builder.Unary("sign", x);
  const bool has_nan = op.input(0).type() == kTfLiteFloat32;
  return has_nan ? builder.Where(builder.Compare("equal", x, x), sign, x) : sign;
}

Operand LowerSqrt(const OpView& op, GraphBuilder& builder) {
  CheckNotNegative(op.input(0), builder);
  return EmitUnary("sqrt", op, builder);
}

Operand LowerSquaredDifference(const OpView& op, GraphBuilder& builder) {
  const Operand difference = builder.Binary("sub", builder.Tensor(op.input(0)), builder.Tensor(op.input(1)));
  return builder.Binary("mul", difference, difference);
}

struct IntegerLimits {
  int64_t lowest;
  int64_t highest;
};

IntegerLimits LimitsOf(DataType type) {
  switch (type) {
    case DataType::kInt8:
      return {std::numeric_limits<int8_t>::min(), std::numeric_limits<int8_t>::max()};
    case DataType::kUint8:
      return {0, std::numeric_limits<uint8_t>::max()};
    case DataType::kUint32:
      return {0, std::numeric_limits<uint32_t>::max()};
    case DataType::kInt64:
      return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
    default:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  }
}

// Floats as integers: the nearest number of the type for those beyond it, and its highest for NaN, as native LiteRT
// does. Of WebNN's cast, neither is specified.
Operand CastLimited(Operand x, DataType type, GraphBuilder& builder) {
  const auto [lowest, highest] = LimitsOf(type);
  // As a float, the highest number of 32 bits and more is one more than it.
  const Operand is_below = builder.Compare("lesser", x, builder.Scalar(highest));
  const Operand raised = builder.Binary("max", x, builder.Scalar(lowest));
  if (DataTypeSizeBytes(type) == 1) return builder.Cast(builder.Where(is_below, raised, builder.Scalar(highest)), type);
  return builder.Where(is_below, builder.Cast(raised, type), builder.Scalar(type, highest));
}

Operand LowerCast(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.RawTensor(op.input(0));  // CAST reads int8 as a number and ignores its scale
  const auto type = DataTypeFromTfLite(op.output(0).type());
  if (!type) return builder.Reject(std::string("WebNN has no type ") + TfLiteTypeGetName(op.output(0).type()));
  if (op.output(0).type() == kTfLiteBool && op.input(0).type() != kTfLiteBool) return NotZero(input, builder);
  const bool is_limited = builder.descriptor(input).data_type == DataType::kFloat32 && *type != DataType::kFloat32 &&
                          *type != DataType::kFloat16;
  return is_limited ? CastLimited(input, *type, builder) : builder.Cast(input, *type);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinAdd, LowerBinary<"add", TfLiteAddParams>, kReal, "add", ""},
    {kTfLiteBuiltinSub, LowerBinary<"sub", TfLiteSubParams>, kReal, "sub", ""},
    {kTfLiteBuiltinMul, LowerBinary<"mul", TfLiteMulParams>, kReal, "mul", ""},
    {kTfLiteBuiltinDiv, LowerDiv, kReal, "div", "integer divisors that are not constant, or are 0 or -1"},
    {kTfLiteBuiltinMaximum, LowerBinary<"max">, kCopied, "max", ""},
    {kTfLiteBuiltinMinimum, LowerBinary<"min">, kCopied, "min", ""},
    {kTfLiteBuiltinPow, LowerBinary<"pow">, kUnknown, "pow", ""},
    {kTfLiteBuiltinSquaredDifference, LowerSquaredDifference, kReal, "sub, mul", ""},
    {kTfLiteBuiltinCast, LowerCast, kInteger, "cast; lesser, max, where (from floats); notEqual (to bool)", ""},
    {kTfLiteBuiltinAbs, LowerUnary<"abs">, kReal, "abs", ""},
    {kTfLiteBuiltinCeil, LowerUnary<"ceil">, kUnknown, "ceil", ""},
    {kTfLiteBuiltinCos, LowerUnary<"cos">, kUnknown, "cos", ""},
    {kTfLiteBuiltinElu, LowerUnary<"elu">, kReal, "elu", ""},
    {kTfLiteBuiltinExp, LowerExp, kReal, "exp; floor, gather (int16)", ""},
    {kTfLiteBuiltinFloor, LowerUnary<"floor">, kUnknown, "floor", ""},
    {kTfLiteBuiltinHardSwish, LowerUnary<"hardSwish">, kReal, "hardSwish", ""},
    {kTfLiteBuiltinLog, LowerLog, kReal, "log; floor, gather (int16)", ""},
    {kTfLiteBuiltinLogistic, LowerUnary<"sigmoid">, kReal, "sigmoid", ""},
    {kTfLiteBuiltinNeg, LowerUnary<"neg">, kUnknown, "neg", ""},
    // TFLite rounds half to even, too.
    {kTfLiteBuiltinRound, LowerUnary<"roundEven">, kUnknown, "roundEven", ""},
    {kTfLiteBuiltinRsqrt, LowerRsqrt, kReal, "sqrt, reciprocal; floor, gather (int16)", ""},
    {kTfLiteBuiltinSign, LowerSign, kUnknown, "sign; equal, where (float32)", ""},
    {kTfLiteBuiltinSin, LowerUnary<"sin">, kUnknown, "sin", ""},
    {kTfLiteBuiltinSqrt, LowerSqrt, kReal, "sqrt", "quantized numbers that may be negative"},
    {kTfLiteBuiltinSquare, LowerSquare, kUnknown, "mul", ""},
    {kTfLiteBuiltinTanh, LowerUnary<"tanh">, kReal, "tanh", ""},
};

}  // namespace

constinit const OpEntries kElementwiseOps = kEntries;

}  // namespace tflite::webnn
