#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_INTERLEAVE_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_INTERLEAVE_H_

#include <wasm_simd128.h>

// Lanes of `a` and `b`, alternating: one instruction each on x86 and ARM.
namespace tflite::webnn::kernels {

inline v128_t InterleaveLow8(v128_t a, v128_t b) {
  return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

inline v128_t InterleaveLow16(v128_t a, v128_t b) { return wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }

inline v128_t InterleaveHigh16(v128_t a, v128_t b) { return wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }

}  // namespace tflite::webnn::kernels

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_INTERLEAVE_H_
