#ifndef TFLITE_WEBNN_COMPAT_KEEP_NAN_H_
#define TFLITE_WEBNN_COMPAT_KEEP_NAN_H_

// XNNPACK's float kernels for x86 clamp by pmax(limit, value): the limit if the value is NaN. Native kernels keep NaN.
#include <wasm_simd128.h>

static inline v128_t KeepNanMax(v128_t limit, v128_t value) { return wasm_f32x4_pmax(value, limit); }
static inline v128_t KeepNanMin(v128_t limit, v128_t value) { return wasm_f32x4_pmin(value, limit); }
#define wasm_f32x4_pmax KeepNanMax
#define wasm_f32x4_pmin KeepNanMin

#endif  // TFLITE_WEBNN_COMPAT_KEEP_NAN_H_
