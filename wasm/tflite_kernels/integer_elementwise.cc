#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/common.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"
#include "tflite_kernels/integer_scales.h"

namespace tflite::webnn {
namespace {

constexpr int kMaxRank = 6;

const TfLiteRegistration& Add() { return *ops::builtin::Register_ADD(); }
const TfLiteRegistration& Mul() { return *ops::builtin::Register_MUL(); }
const TfLiteRegistration& Sub() { return *ops::builtin::Register_SUB(); }
const TfLiteRegistration& SquaredDifference() { return *ops::builtin::Register_SQUARED_DIFFERENCE(); }

struct Operands {
  const TfLiteTensor* a;
  const TfLiteTensor* b;
  TfLiteTensor* output;
};

Operands OperandsOf(TfLiteContext* context, TfLiteNode* node) {
  return {GetInput(context, node, 0), GetInput(context, node, 1), GetOutput(context, node, 0)};
}

bool HasSimdKernel(const Operands& operands, TfLiteType type) {
  for (const TfLiteTensor* tensor : {operands.a, operands.b, static_cast<const TfLiteTensor*>(operands.output)}) {
    if (tensor->type != type || tensor->quantization.type == kTfLiteNoQuantization) return false;
    if (type == kTfLiteInt16 && tensor->params.zero_point != 0) return false;
    if (NumDimensions(tensor) > kMaxRank || IsDynamicTensor(tensor)) return false;
  }
  return true;
}

Multiplier MultiplierOf(double scale) {
  int32_t multiplier;
  int shift;
  QuantizeMultiplier(scale, &multiplier, &shift);
  return {multiplier, shift};
}

// What an operand's integers become before they meet: the difference to the zero point, scaled.
class Term {
 public:
  // Not scaled.
  Term() : multiplier_(0, 0) {}
  // With bits behind the point. One of two operands has the scale 1/2: a shift, too.
  Term(int32_t zero_point, double scale, int left_shift)
      : zero_point_(zero_point),
        left_shift_(scale == 0.5 ? left_shift - 1 : left_shift),
        is_scaled_(scale != 0.5),
        multiplier_(MultiplierOf(scale)) {}

  bool is_regular() const { return multiplier_.is_regular(); }

  v128_t operator()(v128_t x) const {
    x = wasm_i32x4_shl(wasm_i32x4_sub(x, wasm_i32x4_splat(zero_point_)), left_shift_);
    return is_scaled_ ? multiplier_(x) : x;
  }

 private:
  int32_t zero_point_ = 0;
  int left_shift_ = 0;
  bool is_scaled_ = false;
  Multiplier multiplier_;
};

enum class Operation { kSum, kDifference, kProduct, kSquaredDifference };

// How an operation computes four of the output's integers.
struct Arithmetic {
  Operation operation;
  Term a, b;
  Multiplier output;
  int32_t zero_point = 0, min = 0, max = 0;

  // Whether TFLite defines the results.
  bool is_regular() const { return a.is_regular() && b.is_regular() && output.is_regular(); }

  v128_t operator()(v128_t x, v128_t y) const {
    if (operation == Operation::kSum) {
      x = wasm_i32x4_add(x, y);
    } else if (operation == Operation::kProduct) {
      x = wasm_i32x4_mul(x, y);
    } else {
      x = wasm_i32x4_sub(x, y);
      if (operation == Operation::kSquaredDifference) x = wasm_i32x4_mul(x, x);
    }
    x = wasm_i32x4_add(output(x), wasm_i32x4_splat(zero_point));
    return wasm_i32x4_min(wasm_i32x4_max(x, wasm_i32x4_splat(min)), wasm_i32x4_splat(max));
  }
};

struct Lanes {
  v128_t low, high;
};

// The part of an operand that meets one row of the output: a row, or one number.
class RowTerms {
 public:
  RowTerms(const Term& term, const char* data, size_t element_bytes, bool is_one_number)
      : term_(term), data_(data), element_bytes_(element_bytes), is_one_number_(is_one_number) {
    if (is_one_number) {
      number_ = Load(0, 1).low;
      number_ = wasm_i32x4_shuffle(number_, number_, 0, 0, 0, 0);
    }
  }

  Lanes At(size_t i, size_t count) const {
    if (is_one_number_) return {number_, number_};
    return Load(i, count);
  }

 private:
  Lanes Load(size_t i, size_t count) const {
    v128_t vector = LoadBytes(data_ + i * element_bytes_, count * element_bytes_);
    if (element_bytes_ == 1) vector = wasm_i16x8_extend_low_i8x16(vector);
    return {term_(wasm_i32x4_extend_low_i16x8(vector)), term_(wasm_i32x4_extend_high_i16x8(vector))};
  }

  const Term& term_;
  const char* data_;
  size_t element_bytes_;
  bool is_one_number_;
  v128_t number_;
};

void ComputeRow(const Arithmetic& arithmetic, const RowTerms& a, const RowTerms& b, size_t size, size_t element_bytes,
                char* output) {
  for (size_t i = 0; i < size; i += kLanes, output += kLanes * element_bytes) {
    const size_t count = std::min<size_t>(kLanes, size - i);
    const Lanes x = a.At(i, count), y = b.At(i, count);
    v128_t result = wasm_i16x8_narrow_i32x4(arithmetic(x.low, y.low), arithmetic(x.high, y.high));
    if (element_bytes == 1) result = wasm_i8x16_narrow_i16x8(result, result);
    StoreBytes(result, count * element_bytes, output);
  }
}

// Shapes as TFLite folds them: rows are the first axis, and a step of 0 repeats.
struct Broadcast {
  size_t element_bytes;
  size_t a_steps[kMaxRank], b_steps[kMaxRank], sizes[kMaxRank];
};

char* Compute(const Arithmetic& arithmetic, const Broadcast& shapes, int axis, const char* a, const char* b,
              char* output) {
  const size_t size = shapes.sizes[axis], bytes = shapes.element_bytes;
  if (axis == 0) {
    ComputeRow(arithmetic, {arithmetic.a, a, bytes, shapes.a_steps[0] == 0},
               {arithmetic.b, b, bytes, shapes.b_steps[0] == 0}, size, bytes, output);
    return output + size * bytes;
  }
  for (size_t i = 0; i < size; ++i) {
    output = Compute(arithmetic, shapes, axis - 1, a + i * shapes.a_steps[axis] * bytes,
                     b + i * shapes.b_steps[axis] * bytes, output);
  }
  return output;
}

TfLiteStatus EvalWithSimd(TfLiteContext* context, Arithmetic arithmetic, TfLiteFusedActivation activation,
                          const Operands& operands) {
  TF_LITE_ENSURE_OK(context, CalculateActivationRangeQuantized(context, activation, operands.output, &arithmetic.min,
                                                               &arithmetic.max));
  arithmetic.zero_point = operands.output->params.zero_point;
  Broadcast shapes;
  shapes.element_bytes = operands.output->type == kTfLiteInt8 ? sizeof(int8_t) : sizeof(int16_t);
  if (!ReduceDimensionsForBroadcast<kMaxRank>(GetTensorShape(operands.a), GetTensorShape(operands.b), shapes.a_steps,
                                              shapes.b_steps, shapes.sizes)) {
    return kTfLiteOk;
  }
  Compute(arithmetic, shapes, kMaxRank - 1, operands.a->data.raw_const, operands.b->data.raw_const,
          operands.output->data.raw);
  return kTfLiteOk;
}

bool IsPowerOfTwo(const TfLiteTensor* tensor) {
  int unused;
  return CheckedLog2(tensor->params.scale, &unused);
}

// The sum or the difference of two operands in a common unit.
Arithmetic InCommonUnit(Operation operation, const Operands& operands, double unit, int left_shift, double scale) {
  const TfLiteQuantizationParams &a = operands.a->params, &b = operands.b->params;
  return {operation, Term(a.zero_point, a.scale / unit, left_shift), Term(b.zero_point, b.scale / unit, left_shift),
          MultiplierOf(scale)};
}

template <typename Params>
TfLiteStatus EvalSum(TfLiteContext* context, TfLiteNode* node, Operation operation, const TfLiteRegistration& kernel) {
  constexpr int kLeftShift = 15;
  const auto& params = *static_cast<const Params*>(node->builtin_data);
  const Operands operands = OperandsOf(context, node);
  const auto& [a, b, output] = operands;
  if (!HasSimdKernel(operands, kTfLiteInt16)) return kernel.invoke(context, node);
  // TFLite's kernel for powers of two does not broadcast.
  if (params.pot_scale_int16 && HaveSameShapes(a, b) && IsPowerOfTwo(a) && IsPowerOfTwo(b) && IsPowerOfTwo(output)) {
    return kernel.invoke(context, node);
  }
  const double unit = 2 * std::max(a->params.scale, b->params.scale);
  const double scale = unit / (1.0 * (1 << kLeftShift) * output->params.scale);
  const Arithmetic arithmetic = InCommonUnit(operation, operands, unit, kLeftShift, scale);
  // TFLite rejects larger scales for ADD; for SUB its kernel does not scale them up.
  if (!arithmetic.is_regular() || scale >= 1) return kernel.invoke(context, node);
  return EvalWithSimd(context, arithmetic, params.activation, operands);
}

}  // namespace

// ADD, SUB and MUL of int16, and SQUARED_DIFFERENCE of int8: TFLite has no SIMD for them in wasm.
TfLiteStatus EvalIntegerAdd(TfLiteContext* context, TfLiteNode* node) {
  return EvalSum<TfLiteAddParams>(context, node, Operation::kSum, Add());
}

TfLiteStatus EvalIntegerSub(TfLiteContext* context, TfLiteNode* node) {
  return EvalSum<TfLiteSubParams>(context, node, Operation::kDifference, Sub());
}

TfLiteStatus EvalIntegerMul(TfLiteContext* context, TfLiteNode* node) {
  const auto& params = *static_cast<const TfLiteMulParams*>(node->builtin_data);
  const Operands operands = OperandsOf(context, node);
  const auto& [a, b, output] = operands;
  // The product of constants is there already.
  const bool is_constant = IsConstantOrPersistentTensor(a) && IsConstantOrPersistentTensor(b);
  if (is_constant || !HasSimdKernel(operands, kTfLiteInt16)) return EvalBroadcastMul(context, node);
  const Multiplier scale = MultiplierOf(a->params.scale * b->params.scale / output->params.scale);
  const Arithmetic arithmetic{Operation::kProduct, Term(), Term(), scale};
  if (!arithmetic.is_regular()) return Mul().invoke(context, node);
  return EvalWithSimd(context, arithmetic, params.activation, operands);
}

TfLiteStatus EvalIntegerSquaredDifference(TfLiteContext* context, TfLiteNode* node) {
  constexpr int kLeftShift = 7;
  const Operands operands = OperandsOf(context, node);
  const auto& [a, b, output] = operands;
  if (!HasSimdKernel(operands, kTfLiteInt8)) return SquaredDifference().invoke(context, node);
  const double unit = 2 * std::max(a->params.scale, b->params.scale);
  const double scale = unit * unit / ((1 << (2 * kLeftShift)) * output->params.scale);
  const Arithmetic arithmetic = InCommonUnit(Operation::kSquaredDifference, operands, unit, kLeftShift, scale);
  if (!arithmetic.is_regular()) return SquaredDifference().invoke(context, node);
  return EvalWithSimd(context, arithmetic, kTfLiteActNone, operands);
}

}  // namespace tflite::webnn
