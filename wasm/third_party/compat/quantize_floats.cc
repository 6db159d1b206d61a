// Quantizes the activations of TFLite's hybrid kernels. Native TFLite uses its NEON functions on ARM and, translated,
// on x86. Its portable functions round some values between two steps differently, so results would differ from native
// LiteRT. These compute the same bits as NEON's.
#include "quantize_floats.h"

#include <wasm_simd128.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tflite::webnn {
namespace {

constexpr int kLowest = std::numeric_limits<int8_t>::min();
constexpr int kHighest = std::numeric_limits<int8_t>::max();

struct Range {
  float low;
  float high;
};

// The smallest range that contains the values and zero.
Range RangeOf(const float* values, int size) {
  v128_t lows = wasm_f32x4_const_splat(0);
  v128_t highs = lows;
  int i = 0;
  for (; i + 4 <= size; i += 4) {
    const v128_t next = wasm_v128_load(values + i);
    lows = wasm_f32x4_pmin(lows, next);
    highs = wasm_f32x4_pmax(highs, next);
  }
  float low[4];
  float high[4];
  wasm_v128_store(low, lows);
  wasm_v128_store(high, highs);
  Range range = {*std::min_element(low, low + 4), *std::max_element(high, high + 4)};
  for (; i < size; ++i) {
    range.low = std::min(range.low, values[i]);
    range.high = std::max(range.high, values[i]);
  }
  return range;
}

// Clamps to [lowest, 127]. NaN becomes `lowest`.
double Clamped(double value, int lowest) { return std::fmin(kHighest, std::fmax(lowest, value)); }

// Adds half a step away from zero and truncates, so a value just below a half rounds up as well.
v128_t Round(v128_t values) {
  const v128_t half = wasm_f32x4_const_splat(0.5f);
  const v128_t away = wasm_v128_bitselect(wasm_f32x4_neg(half), half, wasm_f32x4_lt(values, wasm_f32x4_const_splat(0)));
  return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_add(values, away));
}

// quantized = zero_point + round(values * factor), clamped to [lowest, 127].
void Quantize(const float* values, int size, float factor, int32_t zero_point, int lowest, int8_t* quantized) {
  const v128_t factors = wasm_f32x4_splat(factor);
  const v128_t zero_points = wasm_i32x4_splat(zero_point);
  const v128_t minimum = wasm_i8x16_splat(static_cast<int8_t>(lowest));
  int i = 0;
  for (; i + 8 <= size; i += 8) {
    const v128_t first = Round(wasm_f32x4_mul(wasm_v128_load(values + i), factors));
    const v128_t second = Round(wasm_f32x4_mul(wasm_v128_load(values + i + 4), factors));
    const v128_t steps =
        wasm_i16x8_narrow_i32x4(wasm_i32x4_add(first, zero_points), wasm_i32x4_add(second, zero_points));
    wasm_v128_store64_lane(quantized + i, wasm_i8x16_max(wasm_i8x16_narrow_i16x8(steps, steps), minimum), 0);
  }
  for (; i < size; ++i) {
    const float step = zero_point + std::round(factor * values[i]);
    quantized[i] = static_cast<int8_t>(Clamped(step, lowest));
  }
}

}  // namespace

void SymmetricQuantizeFloats(const float* values, int size, int8_t* quantized_values, float min_value, float max_value,
                             float* scaling_factor) {
  const float range = std::max(std::abs(min_value), std::abs(max_value));
  if (range == 0) {
    std::memset(quantized_values, 0, size);
    *scaling_factor = 1;
    return;
  }
  *scaling_factor = range / kHighest;
  Quantize(values, size, kHighest / range, 0, -kHighest, quantized_values);
}

// The mix of float and double operations is TFLite's: the bits depend on it.
void AsymmetricQuantizeFloats(const float* values, int size, int8_t* quantized_values, float* scaling_factor,
                              int32_t* offset) {
  const Range range = RangeOf(values, size);
  if (range.low == range.high) {
    std::memset(quantized_values, 0, size);
    *scaling_factor = 1;
    *offset = 0;
    return;
  }
  const double scale = (range.high - range.low) / static_cast<double>(kHighest - kLowest);
  const double below = range.low / scale;
  const double above = range.high / scale;
  // Computes the zero point from the end of the range with the smaller error.
  const double zero_point = std::abs(below) - kLowest < std::abs(above) + kHighest ? kLowest - below : kHighest - above;
  *scaling_factor = static_cast<float>(scale);
  *offset = static_cast<int32_t>(std::round(Clamped(zero_point, kLowest)));
  const float steps_per_one = *scaling_factor == 0 ? 0 : 1 / *scaling_factor;
  Quantize(values, size, steps_per_one, *offset, kLowest, quantized_values);
}

}  // namespace tflite::webnn
