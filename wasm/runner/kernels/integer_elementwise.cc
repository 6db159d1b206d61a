#include "runner/kernels/integer_elementwise.h"

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runner/kernels/integer_products.h"
#include "runner/kernels/integer_scales.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/common.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

constexpr int kLanes = 8;
constexpr int kMaxRank = 6;

const TfLiteRegistration& Add() { return *ops::builtin::Register_ADD(); }
const TfLiteRegistration& Mul() { return *ops::builtin::Register_MUL(); }

struct Operands {
  const TfLiteTensor* a;
  const TfLiteTensor* b;
  TfLiteTensor* output;
};

Operands OperandsOf(TfLiteContext* context, TfLiteNode* node) {
  return {GetInput(context, node, 0), GetInput(context, node, 1), GetOutput(context, node, 0)};
}

bool HasSimdKernel(const Operands& operands) {
  for (const TfLiteTensor* tensor : {operands.a, operands.b, static_cast<const TfLiteTensor*>(operands.output)}) {
    if (tensor->type != kTfLiteInt16 || tensor->quantization.type == kTfLiteNoQuantization) return false;
    if (tensor->params.zero_point != 0 || NumDimensions(tensor) > kMaxRank || IsDynamicTensor(tensor)) return false;
  }
  return true;
}

// The sum or the product of four values, in the output's integers.
struct Arithmetic {
  bool is_sum;
  Multiplier a, b, output;
  int32_t least = 0, most = 0;

  v128_t operator()(v128_t x, v128_t y) const {
    if (!is_sum) return output(wasm_i32x4_mul(x, y));
    return output(wasm_i32x4_add(a(wasm_i32x4_shl(x, kLeftShift)), b(wasm_i32x4_shl(y, kLeftShift))));
  }

  // How many bits ADD's sums have behind the point.
  static constexpr int kLeftShift = 15;
};

// The part of an operand that meets one row of the output: a row, or one number.
class RowOperand {
 public:
  RowOperand(const int16_t* data, bool is_one_number)
      : data_(is_one_number ? numbers_ : data), step_(is_one_number ? 0 : 1) {
    if (is_one_number) std::fill(numbers_, numbers_ + kLanes, *data);
  }
  RowOperand(const RowOperand&) = delete;

  v128_t Vector(size_t i, size_t count) const {
    if (count == kLanes) return wasm_v128_load(data_ + i * step_);
    v128_t vector = wasm_i32x4_const_splat(0);
    std::memcpy(&vector, data_ + i * step_, count * sizeof(int16_t));
    return vector;
  }

 private:
  int16_t numbers_[kLanes];
  const int16_t* data_;
  size_t step_;
};

void ComputeRow(const Arithmetic& arithmetic, const RowOperand& a, const RowOperand& b, size_t size, int16_t* output) {
  for (size_t i = 0; i < size; i += kLanes) {
    const int count = static_cast<int>(std::min<size_t>(kLanes, size - i));
    const v128_t x = a.Vector(i, count), y = b.Vector(i, count);
    const v128_t low = arithmetic(wasm_i32x4_extend_low_i16x8(x), wasm_i32x4_extend_low_i16x8(y));
    const v128_t high = arithmetic(wasm_i32x4_extend_high_i16x8(x), wasm_i32x4_extend_high_i16x8(y));
    StoreClamped(low, arithmetic.least, arithmetic.most, count, output + i);
    if (count > 4) StoreClamped(high, arithmetic.least, arithmetic.most, count - 4, output + i + 4);
  }
}

// Shapes as TFLite folds them: rows are the first axis, and a step of 0 repeats.
struct Broadcast {
  size_t a_steps[kMaxRank], b_steps[kMaxRank], sizes[kMaxRank];
};

int16_t* Compute(const Arithmetic& arithmetic, const Broadcast& shapes, int axis, const int16_t* a, const int16_t* b,
                 int16_t* output) {
  if (axis == 0) {
    const size_t size = shapes.sizes[0];
    ComputeRow(arithmetic, {a, shapes.a_steps[0] == 0}, {b, shapes.b_steps[0] == 0}, size, output);
    return output + size;
  }
  for (size_t i = 0; i < shapes.sizes[axis]; ++i) {
    output = Compute(arithmetic, shapes, axis - 1, a + i * shapes.a_steps[axis], b + i * shapes.b_steps[axis], output);
  }
  return output;
}

TfLiteStatus EvalWithSimd(TfLiteContext* context, Arithmetic arithmetic, TfLiteFusedActivation activation,
                          const Operands& operands) {
  TF_LITE_ENSURE_OK(context, CalculateActivationRangeQuantized(context, activation, operands.output, &arithmetic.least,
                                                               &arithmetic.most));
  Broadcast shapes;
  if (!ReduceDimensionsForBroadcast<kMaxRank>(GetTensorShape(operands.a), GetTensorShape(operands.b), shapes.a_steps,
                                              shapes.b_steps, shapes.sizes)) {
    return kTfLiteOk;
  }
  Compute(arithmetic, shapes, kMaxRank - 1, GetTensorData<int16_t>(operands.a), GetTensorData<int16_t>(operands.b),
          GetTensorData<int16_t>(operands.output));
  return kTfLiteOk;
}

bool IsPowerOfTwo(const TfLiteTensor* tensor) {
  int unused;
  return CheckedLog2(tensor->params.scale, &unused);
}

Multiplier MultiplierOf(double scale) {
  int32_t multiplier;
  int shift;
  QuantizeMultiplier(scale, &multiplier, &shift);
  return {multiplier, shift};
}

TfLiteStatus EvalAdd(TfLiteContext* context, TfLiteNode* node) {
  const auto& params = *static_cast<const TfLiteAddParams*>(node->builtin_data);
  const Operands operands = OperandsOf(context, node);
  const auto& [a, b, output] = operands;
  if (!HasSimdKernel(operands)) return Add().invoke(context, node);
  if (params.pot_scale_int16 && IsPowerOfTwo(a) && IsPowerOfTwo(b) && IsPowerOfTwo(output)) {
    return Add().invoke(context, node);
  }
  const double unit = 2 * std::max(a->params.scale, b->params.scale);
  const Arithmetic sum{true, MultiplierOf(a->params.scale / unit), MultiplierOf(b->params.scale / unit),
                       MultiplierOf(unit / ((1 << Arithmetic::kLeftShift) * output->params.scale))};
  return EvalWithSimd(context, sum, params.activation, operands);
}

TfLiteStatus EvalMul(TfLiteContext* context, TfLiteNode* node) {
  const auto& params = *static_cast<const TfLiteMulParams*>(node->builtin_data);
  const Operands operands = OperandsOf(context, node);
  const auto& [a, b, output] = operands;
  // The product of constants is there already.
  const bool is_constant = IsConstantOrPersistentTensor(a) && IsConstantOrPersistentTensor(b);
  if (is_constant || !HasSimdKernel(operands)) return Mul().invoke(context, node);
  const Multiplier scale = MultiplierOf(a->params.scale * b->params.scale / output->params.scale);
  if (!scale.is_regular()) return Mul().invoke(context, node);
  return EvalWithSimd(context, Arithmetic{false, scale, scale, scale}, params.activation, operands);
}

TfLiteRegistration WithInvoke(TfLiteRegistration registration, TfLiteStatus (*invoke)(TfLiteContext*, TfLiteNode*)) {
  registration.invoke = invoke;
  return registration;
}

}  // namespace

const TfLiteRegistration* RegisterIntegerAdd() {
  static const TfLiteRegistration registration = WithInvoke(Add(), EvalAdd);
  return &registration;
}

const TfLiteRegistration* RegisterIntegerMul() {
  static const TfLiteRegistration registration = WithInvoke(Mul(), EvalMul);
  return &registration;
}

}  // namespace tflite::webnn
