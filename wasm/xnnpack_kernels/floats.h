#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_FLOATS_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_FLOATS_H_

#include <wasm_simd128.h>

#include <cstddef>

#include "src/xnnpack/microparams.h"

namespace tflite::webnn::kernels {

// Rounds once where there is relaxed SIMD, as native kernels do.
inline v128_t MultiplyAdd(v128_t a, v128_t b, v128_t sum) {
#ifdef __wasm_relaxed_simd__
  return wasm_f32x4_relaxed_madd(a, b, sum);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), sum);
#endif
}

class Limits {
 public:
  explicit Limits(const xnn_f32_minmax_params& params)
      : min_(wasm_v128_load32_splat(&params.scalar.min)), max_(wasm_v128_load32_splat(&params.scalar.max)) {}

  v128_t Clamp(v128_t values) const { return wasm_f32x4_pmin(wasm_f32x4_pmax(values, min_), max_); }  // NaN is kept

 private:
  const v128_t min_;
  const v128_t max_;
};

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

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_FLOATS_H_
