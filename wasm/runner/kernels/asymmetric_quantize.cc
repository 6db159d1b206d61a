#include "runner/kernels/asymmetric_quantize.h"

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

// The range of the values and zero.
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

// The value, or the nearest that int8 has; no NaN.
double Clamped(double value) { return std::fmin(kHighest, std::fmax(kLowest, value)); }

// Which operations are of floats and which of doubles is TFLite's choice, on which the bits depend.
AsymmetricScale ScaleOf(const Range& range) {
  const double scale = (range.high - range.low) / static_cast<double>(kHighest - kLowest);
  const double below = range.low / scale;
  const double above = range.high / scale;
  // Zero is exact by the end of the range that it is nearer to.
  const double zero_point = std::abs(below) - kLowest < std::abs(above) + kHighest ? kLowest - below : kHighest - above;
  return {static_cast<float>(scale), static_cast<int32_t>(std::round(Clamped(zero_point)))};
}

// Half a step away from zero, then toward it: a value just below a half goes up as well.
v128_t Round(v128_t values) {
  const v128_t half = wasm_f32x4_const_splat(0.5f);
  const v128_t away = wasm_v128_bitselect(wasm_f32x4_neg(half), half, wasm_f32x4_lt(values, wasm_f32x4_const_splat(0)));
  return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_add(values, away));
}

}  // namespace

AsymmetricScale AsymmetricQuantize(const float* values, int size, int8_t* quantized) {
  const Range range = RangeOf(values, size);
  if (range.low == range.high) {
    std::memset(quantized, 0, size);
    return {1, 0};
  }
  const AsymmetricScale result = ScaleOf(range);
  const float steps_per_one = result.scale == 0 ? 0 : 1 / result.scale;
  const v128_t factor = wasm_f32x4_splat(steps_per_one);
  const v128_t zero_point = wasm_i32x4_splat(result.zero_point);
  int i = 0;
  for (; i + 8 <= size; i += 8) {
    const v128_t first = Round(wasm_f32x4_mul(wasm_v128_load(values + i), factor));
    const v128_t second = Round(wasm_f32x4_mul(wasm_v128_load(values + i + 4), factor));
    const v128_t steps = wasm_i16x8_narrow_i32x4(wasm_i32x4_add(first, zero_point), wasm_i32x4_add(second, zero_point));
    wasm_v128_store64_lane(quantized + i, wasm_i8x16_narrow_i16x8(steps, steps), 0);
  }
  for (; i < size; ++i) {
    const float step = result.zero_point + std::round(steps_per_one * values[i]);
    quantized[i] = static_cast<int8_t>(Clamped(step));
  }
  return result;
}

}  // namespace tflite::webnn
