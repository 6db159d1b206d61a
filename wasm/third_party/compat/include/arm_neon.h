// Replaces <arm_neon.h>. Some sources include that header whenever a 128-bit vector extension
// is on, although they then use only WebAssembly SIMD.
#ifndef TFLITE_WEBNN_WASM_COMPAT_ARM_NEON_H_
#define TFLITE_WEBNN_WASM_COMPAT_ARM_NEON_H_

#include <wasm_simd128.h>

#endif  // TFLITE_WEBNN_WASM_COMPAT_ARM_NEON_H_
