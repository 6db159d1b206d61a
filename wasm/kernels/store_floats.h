#ifndef TFLITE_WEBNN_KERNELS_STORE_FLOATS_H_
#define TFLITE_WEBNN_KERNELS_STORE_FLOATS_H_

#include <wasm_simd128.h>

#include <cstddef>

namespace tflite::webnn::kernels {

// Stores the first `count` floats, at most 4.
inline void StoreFloats(v128_t values, float* target, size_t count) {
  if (count >= 4) {
    wasm_v128_store(target, values);
    return;
  }
  if (count & 2) {
    wasm_v128_store64_lane(target, values, 0);
    values = wasm_i64x2_shuffle(values, values, 1, 1);
    target += 2;
  }
  if (count & 1) wasm_v128_store32_lane(target, values, 0);
}

}  // namespace tflite::webnn::kernels

#endif  // TFLITE_WEBNN_KERNELS_STORE_FLOATS_H_
