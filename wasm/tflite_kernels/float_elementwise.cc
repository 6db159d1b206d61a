#include <wasm_simd128.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"
#include "tflite_kernels/simd.h"

namespace tflite::webnn {
namespace {

constexpr int kFloatsOfVector = 4;

// Computes each element of the output, four at a time.
template <typename Compute>
TfLiteStatus ComputeElements(TfLiteContext* context, TfLiteNode* node, Compute compute) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  const float* from = input->data.f;
  float* to = GetOutput(context, node, 0)->data.f;
  const int64_t count = NumElements(input);
  int64_t i = 0;
  for (; i + kFloatsOfVector <= count; i += kFloatsOfVector) wasm_v128_store(to + i, compute(wasm_v128_load(from + i)));
  const size_t remaining_bytes = (count - i) * sizeof(float);
  StoreBytes(compute(LoadBytes(from + i, remaining_bytes)), remaining_bytes, to + i);
  return kTfLiteOk;
}

// Whether all are positive, finite and normal.
bool AreRegular(v128_t x) {
  const v128_t from_normal = wasm_i32x4_sub(x, wasm_i32x4_const_splat(0x00800000));
  return wasm_i32x4_all_true(wasm_u32x4_lt(from_normal, wasm_i32x4_const_splat(0x7F000000)));
}

// Of regular numbers: 2^e * (1 + f), where f is exact and at least sqrt(1/2) - 1. XNNPACK's approximation of log(1 +
// f).
v128_t Logarithm(v128_t x) {
  const v128_t one = wasm_f32x4_const_splat(1), root = wasm_i32x4_const_splat(0x3F3504F3);
  const v128_t bits = wasm_i32x4_sub(x, root);
  const v128_t exponent = wasm_f32x4_convert_i32x4(wasm_i32x4_shr(bits, 23));
  const v128_t mantissa = wasm_i32x4_add(wasm_v128_and(bits, wasm_i32x4_const_splat(0x007FFFFF)), root);
  const v128_t f = wasm_f32x4_sub(mantissa, one);
  const auto next = [f](v128_t sum, v128_t coefficient) { return wasm_f32x4_add(wasm_f32x4_mul(sum, f), coefficient); };
  const v128_t numerator = next(next(wasm_f32x4_const_splat(0.1824996918440f), one), one);
  v128_t denominator = next(wasm_f32x4_const_splat(0.049584995955f), wasm_f32x4_const_splat(0.599170029163f));
  denominator = next(next(denominator, wasm_f32x4_const_splat(1.5f)), one);
  const v128_t log_of_mantissa = wasm_f32x4_div(wasm_f32x4_mul(f, numerator), denominator);
  // ln(2) in two parts: products by the first one are exact.
  const v128_t low = wasm_f32x4_mul(exponent, wasm_f32x4_const_splat(-2.12194440e-4f));
  const v128_t high = wasm_f32x4_mul(exponent, wasm_f32x4_const_splat(0.693359375f));
  return wasm_f32x4_add(high, wasm_f32x4_add(low, log_of_mantissa));
}

v128_t LogarithmOfAny(v128_t x) {
  float lanes[kFloatsOfVector];
  wasm_v128_store(lanes, x);
  for (float& lane : lanes) lane = std::log(lane);
  return wasm_v128_load(lanes);
}

// Of x up to 0, and never less than exp(-87): 2^n * exp(r), with Cephes' polynomial.
v128_t Exponential(v128_t x) {
  x = wasm_f32x4_max(x, wasm_f32x4_const_splat(-87));
  const v128_t n = wasm_f32x4_nearest(wasm_f32x4_mul(x, wasm_f32x4_const_splat(1.44269504f)));
  // ln(2) in two parts: products by the first one are exact.
  v128_t r = wasm_f32x4_sub(x, wasm_f32x4_mul(n, wasm_f32x4_const_splat(0.693359375f)));
  r = wasm_f32x4_sub(r, wasm_f32x4_mul(n, wasm_f32x4_const_splat(-2.12194440e-4f)));
  v128_t sum = wasm_f32x4_const_splat(1.9875691500e-4f);
  for (const float coefficient :
       {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 0.5f, 1.0f, 1.0f}) {
    sum = wasm_f32x4_add(wasm_f32x4_mul(sum, r), wasm_f32x4_splat(coefficient));
  }
  const v128_t exponent = wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(n), wasm_i32x4_const_splat(127));
  return wasm_f32x4_mul(sum, wasm_i32x4_shl(exponent, 23));
}

// Of four elements and more; the last vector of a row may overlap the one before it.
void LogSoftmaxOfRow(const float* x, int depth, float* y) {
  const int last = depth - kFloatsOfVector;
  // A NaN need not become the largest: it makes the sum NaN.
  v128_t largest = wasm_v128_load(x + last);
  for (int i = 0; i < last; i += kFloatsOfVector) largest = wasm_f32x4_pmax(largest, wasm_v128_load(x + i));
  largest = wasm_f32x4_pmax(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
  largest = wasm_f32x4_pmax(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
  const auto exponential = [=](int i) { return Exponential(wasm_f32x4_sub(wasm_v128_load(x + i), largest)); };
  v128_t sums = wasm_f32x4_const_splat(0);
  int i = 0;
  for (; i <= last; i += kFloatsOfVector) sums = wasm_f32x4_add(sums, exponential(i));
  const v128_t is_new = wasm_i32x4_ge(wasm_i32x4_const(0, 1, 2, 3), wasm_i32x4_splat(i - last));
  if (i < depth) sums = wasm_f32x4_add(sums, wasm_v128_and(exponential(last), is_new));
  sums = wasm_f32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
  const v128_t log_sum =
      wasm_f32x4_splat(std::log(wasm_f32x4_extract_lane(sums, 0) + wasm_f32x4_extract_lane(sums, 1)));
  for (i = 0; i < depth; i += kFloatsOfVector) {
    const int start = std::min(i, last);
    wasm_v128_store(y + start, wasm_f32x4_sub(wasm_f32x4_sub(wasm_v128_load(x + start), largest), log_sum));
  }
}

}  // namespace

// LOG_SOFTMAX of floats, for which TFLite has no SIMD here.
TfLiteStatus EvalLogSoftmax(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const int depth = NumDimensions(input) == 0 ? 0 : SizeOfDimension(input, NumDimensions(input) - 1);
  if (input->type != kTfLiteFloat32 || output->type != kTfLiteFloat32 || depth < kFloatsOfVector) {
    return ops::builtin::Register_LOG_SOFTMAX()->invoke(context, node);
  }
  const int64_t count = NumElements(input);
  for (int64_t i = 0; i < count; i += depth) LogSoftmaxOfRow(input->data.f + i, depth, output->data.f + i);
  return kTfLiteOk;
}

// LOG, for which TFLite has no SIMD. XNNPACK's kernel is wrong for infinity, NaN and denormal numbers.
TfLiteStatus EvalLog(TfLiteContext* context, TfLiteNode* node) {
  if (GetInput(context, node, 0)->type != kTfLiteFloat32) return ops::builtin::Register_LOG()->invoke(context, node);
  return ComputeElements(context, node, [](v128_t x) { return AreRegular(x) ? Logarithm(x) : LogarithmOfAny(x); });
}

// SIGN, of NaN NaN.
TfLiteStatus EvalSign(TfLiteContext* context, TfLiteNode* node) {
  if (GetInput(context, node, 0)->type != kTfLiteFloat32) return ops::builtin::Register_SIGN()->invoke(context, node);
  return ComputeElements(context, node, [](v128_t x) {
    const v128_t zero = wasm_f32x4_const_splat(0), one = wasm_f32x4_const_splat(1);
    const v128_t signs =
        wasm_f32x4_sub(wasm_v128_and(wasm_f32x4_gt(x, zero), one), wasm_v128_and(wasm_f32x4_lt(x, zero), one));
    return wasm_v128_bitselect(signs, x, wasm_f32x4_eq(x, x));
  });
}

// FAKE_QUANT, with the bits of FakeQuantizeArray().
TfLiteStatus EvalFakeQuant(TfLiteContext* context, TfLiteNode* node) {
  const auto& params = *static_cast<const TfLiteFakeQuantParams*>(node->builtin_data);
  float min, max, scale;
  NudgeQuantizationRange(params.min, params.max, 0, (1 << params.num_bits) - 1, &min, &max, &scale);
  const v128_t lower = wasm_f32x4_splat(min), upper = wasm_f32x4_splat(max);
  const v128_t step = wasm_f32x4_splat(scale), steps_per_one = wasm_f32x4_splat(1.0f / scale);
  return ComputeElements(context, node, [=](v128_t x) {
    x = wasm_f32x4_pmin(upper, wasm_f32x4_pmax(lower, x));
    // Not negative: halves are rounded up.
    x = wasm_f32x4_mul(wasm_f32x4_sub(x, lower), steps_per_one);
    const v128_t integer = wasm_f32x4_trunc(x);
    const v128_t is_up = wasm_f32x4_ge(wasm_f32x4_sub(x, integer), wasm_f32x4_const_splat(0.5f));
    const v128_t rounded = wasm_f32x4_add(integer, wasm_v128_and(is_up, wasm_f32x4_const_splat(1)));
    return wasm_f32x4_add(wasm_f32x4_mul(rounded, step), lower);
  });
}

}  // namespace tflite::webnn
