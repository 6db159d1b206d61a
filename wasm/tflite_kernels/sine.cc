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

// V8 makes a vector that it knows to be constant again for each use, in three instructions; it cannot know what memory
// has.
v128_t Splat(double value) {
  const volatile double memory = value;
  return wasm_f64x2_splat(memory);
}

// The sines of angles + shift.
class Sines {
 public:
  explicit Sines(double shift) : shift_(Splat(shift)) {}

  // Of the first two floats: sines of the angles from the nearest multiples of pi, and negative for odd multiples.
  // sin(r) = r + r^3 * (a polynomial of r^2), up to pi / 2: off by less than 2e-10.
  v128_t operator()(v128_t x) const {
    const v128_t angles = wasm_f64x2_add(wasm_f64x2_promote_low_f32x4(x), shift_);
    const v128_t multiples = wasm_f64x2_add(wasm_f64x2_mul(angles, inv_pi_), magic_);
    const v128_t r = wasm_f64x2_sub(angles, wasm_f64x2_mul(wasm_f64x2_sub(multiples, magic_), pi_));
    const v128_t square = wasm_f64x2_mul(r, r);
    const auto next = [square](v128_t sum, v128_t term) { return wasm_f64x2_add(wasm_f64x2_mul(sum, square), term); };
    const v128_t sum = next(next(next(next(next(term11_, term9_), term7_), term5_), term3_), term1_);
    const v128_t is_odd = wasm_i32x4_shuffle(multiples, multiples, 0, 2, 0, 2);
    return wasm_v128_xor(wasm_f32x4_demote_f64x2_zero(wasm_f64x2_mul(r, sum)), wasm_i32x4_shl(is_odd, 31));
  }

 private:
  const v128_t shift_;
  const v128_t pi_ = Splat(std::numbers::pi), inv_pi_ = Splat(std::numbers::inv_pi);
  // Adding it rounds to the nearest integer, and leaves that in the lowest bits.
  const v128_t magic_ = Splat(0x1.8p52);
  const v128_t term1_ = Splat(1), term3_ = Splat(-0.1666666666388125), term5_ = Splat(0.008333332768752656);
  const v128_t term7_ = Splat(-0.00019841086561069252), term9_ = Splat(2.7536463525183763e-06);
  const v128_t term11_ = Splat(-2.4080189485084895e-08);
};

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node, double shift, float (*function)(float)) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  TF_LITE_ENSURE_TYPES_EQ(context, input->type, kTfLiteFloat32);
  const float* from = GetTensorData<float>(input);
  float* to = GetTensorData<float>(GetOutput(context, node, 0));
  const int64_t count = NumElements(input);
  const Sines sines(shift);
  int64_t i = 0;
  for (; i + 2 <= count; i += 2) {
    const v128_t x = wasm_v128_load64_zero(from + i);
    if (wasm_i32x4_all_true(wasm_f32x4_lt(wasm_f32x4_abs(x), wasm_f32x4_splat(kMaxAngle)))) {
      wasm_v128_store64_lane(to + i, sines(x), 0);
    } else {
      for (int64_t j = i; j < i + 2; ++j) to[j] = function(from[j]);
    }
  }
  if (i < count) to[i] = function(from[i]);
  return kTfLiteOk;
}

}  // namespace

// SIN and COS: TFLite has no SIMD for them, and XNNPACK's is far off for large angles. Adding -0 keeps -0.
TfLiteStatus EvalSine(TfLiteContext* context, TfLiteNode* node) { return Eval(context, node, -0.0, std::sin); }

TfLiteStatus EvalCosine(TfLiteContext* context, TfLiteNode* node) {
  return Eval(context, node, std::numbers::pi / 2, std::cos);
}

}  // namespace tflite::webnn
