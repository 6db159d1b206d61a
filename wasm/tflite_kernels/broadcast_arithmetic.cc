#include <wasm_simd128.h>

#include <algorithm>
#include <cstdint>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tflite_kernels/broadcast_vectors.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// Wraps around.
template <typename T>
struct Product {
  static v128_t Of(const Vector<T>& x, const Vector<T>& y) { return reinterpret_cast<v128_t>(x * y); }
  static T Of(T x, T y) { return x * y; }
};

struct ParametricRelu {
  static v128_t Of(const Vector<float>& x, const Vector<float>& slope) {
    const v128_t values = reinterpret_cast<v128_t>(x);
    const v128_t is_kept = wasm_f32x4_ge(values, wasm_f32x4_const_splat(0));
    return wasm_v128_bitselect(values, reinterpret_cast<v128_t>(x * slope), is_kept);
  }
  static float Of(float x, float slope) { return x >= 0 ? x : x * slope; }
};

// Rounded to zero: a quotient of doubles is never rounded up to the next integer.
struct Quotient {
  static v128_t Of(const Vector<int32_t>& x, const Vector<int32_t>& y) {
    const v128_t a = reinterpret_cast<v128_t>(x), b = reinterpret_cast<v128_t>(y);
    const v128_t low = OfTwo(a, b);
    const v128_t high = OfTwo(wasm_i64x2_shuffle(a, a, 1, 1), wasm_i64x2_shuffle(b, b, 1, 1));
    return wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
  }
  static int32_t Of(int32_t x, int32_t y) { return y == -1 ? static_cast<int32_t>(0u - x) : x / y; }

 private:
  // In the lower half of 64 bits: the sum's last bits are the integer's, and the lowest int32 by -1 wraps around.
  static v128_t OfTwo(v128_t x, v128_t y) {
    const v128_t quotient = wasm_f64x2_div(wasm_f64x2_convert_low_i32x4(x), wasm_f64x2_convert_low_i32x4(y));
    return wasm_f64x2_add(wasm_f64x2_trunc(quotient), wasm_f64x2_const_splat(0x1.8p52));
  }
};

template <typename Operation, typename T>
void ComputeRow(const BroadcastRow& row, const char* input1, const char* input2, char* output) {
  constexpr int kLanesOfVector = kVectorElements / sizeof(T);
  const RowOperand x(reinterpret_cast<const T*>(input1) + row.input1, row.step1);
  const RowOperand y(reinterpret_cast<const T*>(input2) + row.input2, row.step2);
  T* to = reinterpret_cast<T*>(output) + row.output;
  int i = 0;
  for (; i + kLanesOfVector <= row.count; i += kLanesOfVector) {
    wasm_v128_store(to + i, Operation::Of(LoadVector(x.At(i)), LoadVector(y.At(i))));
  }
  for (; i < row.count; ++i) to[i] = Operation::Of(*x.At(i), *y.At(i));
}

RowFunction* ProductOf(TfLiteType type) {
  switch (type) {
    case kTfLiteInt32:
    case kTfLiteUInt32:
      return ComputeRow<Product<uint32_t>, uint32_t>;
    case kTfLiteInt64:
      return ComputeRow<Product<uint64_t>, uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

// MUL of integers without a scale, and PRELU of floats: TFLite steps through broadcast tensors by element.
TfLiteStatus EvalBroadcastMul(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input1 = GetInput(context, node, 0);
  const TfLiteTensor* input2 = GetInput(context, node, 1);
  TfLiteTensor* output = GetOutput(context, node, 0);
  RowFunction* function = ProductOf(output->type);
  const bool has_limits = static_cast<const TfLiteMulParams*>(node->builtin_data)->activation != kTfLiteActNone;
  // The product of constants is there already.
  const bool is_constant = IsConstantOrPersistentTensor(input1) && IsConstantOrPersistentTensor(input2);
  if (function == nullptr || has_limits || is_constant || IsDynamicTensor(output)) {
    return ops::builtin::Register_MUL()->invoke(context, node);
  }
  return ComputeRows(function, input1, input2, output);
}

// DIV of int32. TFLite's kernel reports a divisor of 0.
TfLiteStatus EvalIntegerDiv(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input1 = GetInput(context, node, 0);
  const TfLiteTensor* input2 = GetInput(context, node, 1);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const auto& params = *static_cast<const TfLiteDivParams*>(node->builtin_data);
  const auto* divisors = GetTensorData<int32_t>(input2);
  if (output->type != kTfLiteInt32 || input1->type != kTfLiteInt32 || params.activation != kTfLiteActNone ||
      IsDynamicTensor(output) || std::count(divisors, divisors + NumElements(input2), 0) > 0) {
    return ops::builtin::Register_DIV()->invoke(context, node);
  }
  return ComputeRows(ComputeRow<Quotient, int32_t>, input1, input2, output);
}

TfLiteStatus EvalPrelu(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  if (input->type != kTfLiteFloat32) return ops::builtin::Register_PRELU()->invoke(context, node);
  return ComputeRows(ComputeRow<ParametricRelu, float>, input, GetInput(context, node, 1), GetOutput(context, node, 0));
}

}  // namespace tflite::webnn
