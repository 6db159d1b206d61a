#include <wasm_simd128.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// Below this angle, results are off by less than 7e-8: by a double's multiples of pi, and by their rounding to a float.
constexpr float kMaxAngle = 1 << 28;

// sin(r) = r + r^3 * (a polynomial of r^2), up to pi / 2: off by less than 2e-10.
constexpr double kCoefficients[] = {-2.4080189485084895e-08, 2.7536463525183763e-06, -0.00019841086561069252,
                                    0.008333332768752656, -0.1666666666388125};

// The sine of x + shift: of the angle from the nearest multiple of pi, and negative for odd multiples.
v128_t Sine(v128_t x, double shift) {
  const v128_t angle = wasm_f64x2_add(x, wasm_f64x2_splat(shift));
  const v128_t nearest = wasm_f64x2_nearest(wasm_f64x2_mul(angle, wasm_f64x2_splat(std::numbers::inv_pi)));
  const v128_t count = wasm_f64x2_add(nearest, wasm_f64x2_splat(0));  // 0 for -0, which would make r of -0 positive
  const v128_t r = wasm_f64x2_sub(angle, wasm_f64x2_mul(count, wasm_f64x2_splat(std::numbers::pi)));
  const v128_t square = wasm_f64x2_mul(r, r);
  v128_t sum = wasm_f64x2_const_splat(0);
  for (const double coefficient : kCoefficients) {
    sum = wasm_f64x2_add(wasm_f64x2_mul(sum, square), wasm_v128_load64_splat(&coefficient));
  }
  sum = wasm_f64x2_add(wasm_f64x2_mul(sum, square), wasm_f64x2_const_splat(1));
  const v128_t half = wasm_f64x2_mul(count, wasm_f64x2_splat(0.5));
  const v128_t is_odd = wasm_f64x2_ne(half, wasm_f64x2_nearest(half));
  const v128_t sign = wasm_v128_and(is_odd, wasm_f64x2_splat(-0.0));
  return wasm_v128_xor(wasm_f64x2_mul(r, sum), sign);
}

v128_t Sines(v128_t x, double shift) {
  const v128_t low = Sine(wasm_f64x2_promote_low_f32x4(x), shift);
  const v128_t high = Sine(wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(x, x, 2, 3, 0, 1)), shift);
  return wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 1, 4, 5);
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node, double shift, float (*function)(float)) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  TF_LITE_ENSURE_TYPES_EQ(context, input->type, kTfLiteFloat32);
  const float* from = GetTensorData<float>(input);
  float* to = GetTensorData<float>(GetOutput(context, node, 0));
  const int64_t count = NumElements(input);
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const v128_t x = wasm_v128_load(from + i);
    if (wasm_i32x4_all_true(wasm_f32x4_lt(wasm_f32x4_abs(x), wasm_f32x4_splat(kMaxAngle)))) {
      wasm_v128_store(to + i, Sines(x, shift));
    } else {
      for (int64_t j = i; j < i + 4; ++j) to[j] = function(from[j]);
    }
  }
  for (; i < count; ++i) to[i] = function(from[i]);
  return kTfLiteOk;
}

}  // namespace

// SIN and COS: TFLite has no SIMD for them, and XNNPACK's is far off for large angles. Adding -0 keeps -0.
TfLiteStatus EvalSine(TfLiteContext* context, TfLiteNode* node) { return Eval(context, node, -0.0, std::sin); }

TfLiteStatus EvalCosine(TfLiteContext* context, TfLiteNode* node) {
  return Eval(context, node, std::numbers::pi / 2, std::cos);
}

}  // namespace tflite::webnn
