#ifndef TFLITE_WEBNN_TFLITE_KERNELS_SIMD_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_SIMD_H_

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Vectors of which the last one of a row may have fewer elements.
namespace tflite::webnn {

inline constexpr int kLanes = 8;  // 16-bit integers in a vector

// Up to 16 bytes; zeros follow.
inline v128_t LoadBytes(const void* source, size_t size) {
  if (size == 16) return wasm_v128_load(source);
  if (size == 8) return wasm_v128_load64_zero(source);
  v128_t vector = wasm_i32x4_const_splat(0);
  std::memcpy(&vector, source, size);
  return vector;
}

inline void StoreBytes(v128_t vector, size_t size, void* target) {
  if (size == 16) return wasm_v128_store(target, vector);
  if (size == 8) return wasm_v128_store64_lane(target, vector, 0);
  std::memcpy(target, &vector, size);
}

// Stores up to four values of 32 bits, clamped.
template <typename T>
inline void StoreClamped(v128_t values, int32_t min, int32_t max, int count, T* output) {
  values = wasm_i32x4_min(wasm_i32x4_max(values, wasm_i32x4_splat(min)), wasm_i32x4_splat(max));
  if (sizeof(T) == 4) return StoreBytes(values, std::min(count, 4) * sizeof(T), output);
  v128_t narrow = wasm_i16x8_narrow_i32x4(values, values);
  if (std::is_same_v<T, int8_t>) narrow = wasm_i8x16_narrow_i16x8(narrow, narrow);
  if (std::is_same_v<T, uint8_t>) narrow = wasm_u8x16_narrow_i16x8(narrow, narrow);
  if (count >= 4 && sizeof(T) == 1) return wasm_v128_store32_lane(output, narrow, 0);
  StoreBytes(narrow, std::min(count, 4) * sizeof(T), output);
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_SIMD_H_
