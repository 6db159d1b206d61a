#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_REQUANTIZATION_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_REQUANTIZATION_H_

#include <wasm_simd128.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tflite::webnn::kernels {

// `bits` in each lane. V8 makes a vector that it knows to be constant again for each use, in three instructions; it
// cannot know what memory has.
inline v128_t SplatFromMemory(uint32_t bits) {
  const volatile uint32_t memory = bits;
  return wasm_i32x4_splat(static_cast<int32_t>(memory));
}

// Rounds scaled sums to 8 bits as XNNPACK's "fp32" kernels do: adding 1.5 * 2^23 leaves the nearest integer in the
// lowest bits of the float.
class Rounding {
 public:
  Rounding(int32_t zero_point, int32_t min, int32_t max)
      : min_(wasm_i32x4_splat(std::bit_cast<int32_t>(kMagic + static_cast<float>(min - zero_point)))),
        bias_less_zero_point_(wasm_i32x4_splat(std::bit_cast<int32_t>(kMagic) - zero_point)),
        max_(wasm_i8x16_splat(static_cast<int8_t>(max))) {}

  // Returns 8 int8, twice.
  v128_t ToInt8(v128_t low, v128_t high) const {
    const v128_t rounded = Round(low, high);
    return wasm_i8x16_min(wasm_i8x16_narrow_i16x8(rounded, rounded), max_);
  }

  // Returns 8 uint8, twice.
  v128_t ToUint8(v128_t low, v128_t high) const {
    const v128_t rounded = Round(low, high);
    return wasm_u8x16_min(wasm_u8x16_narrow_i16x8(rounded, rounded), max_);
  }

 private:
  static constexpr float kMagic = 12582912.0f;

  v128_t Round(v128_t low, v128_t high) const { return wasm_i16x8_narrow_i32x4(RoundHalf(low), RoundHalf(high)); }

  v128_t RoundHalf(v128_t values) const {
    const v128_t biased = wasm_f32x4_add(values, magic_);
    return wasm_i32x4_sub(wasm_i32x4_max(biased, min_), bias_less_zero_point_);
  }

  v128_t magic_ = SplatFromMemory(std::bit_cast<uint32_t>(kMagic));
  v128_t min_;
  v128_t bias_less_zero_point_;
  v128_t max_;
};

// Stores the first `count` bytes, at most 8.
inline void StoreBytes(v128_t values, void* target, size_t count) {
  auto* destination = static_cast<uint8_t*>(target);
  if (count >= 8) {
    wasm_v128_store64_lane(destination, values, 0);
    return;
  }
  if (count & 4) {
    wasm_v128_store32_lane(destination, values, 0);
    values = wasm_u64x2_shr(values, 32);
    destination += 4;
  }
  if (count & 2) {
    wasm_v128_store16_lane(destination, values, 0);
    values = wasm_u64x2_shr(values, 16);
    destination += 2;
  }
  if (count & 1) wasm_v128_store8_lane(destination, values, 0);
}

}  // namespace tflite::webnn::kernels

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_REQUANTIZATION_H_
