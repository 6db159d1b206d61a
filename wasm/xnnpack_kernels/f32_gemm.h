#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_F32_GEMM_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_F32_GEMM_H_

#include "src/xnnpack/gemm.h"
#include "src/xnnpack/igemm.h"

#ifdef __cplusplus
extern "C" {
#endif

// Microkernels for XNNPACK's gemm-config.c, which wasm/cmake/xnnpack.cmake makes use them: kr 1, sr 1.
#define TFLITE_WEBNN_DECLARE_F32_GEMM(tile)                                                     \
  DECLARE_F32_GEMM_MINMAX_UKERNEL_FUNCTION(tflite_webnn_f32_gemm_minmax_ukernel_##tile##__wasm) \
  DECLARE_F32_IGEMM_MINMAX_UKERNEL_FUNCTION(tflite_webnn_f32_igemm_minmax_ukernel_##tile##__wasm)

DECLARE_F32_GEMM_MINMAX_UKERNEL_FUNCTION(tflite_webnn_f32_gemm_minmax_ukernel_1x8__wasm)
TFLITE_WEBNN_DECLARE_F32_GEMM(6x8)
TFLITE_WEBNN_DECLARE_F32_GEMM(2x2)
TFLITE_WEBNN_DECLARE_F32_GEMM(8x2)

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_F32_GEMM_H_
