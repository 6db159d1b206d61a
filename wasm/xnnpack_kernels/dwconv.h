#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_DWCONV_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_DWCONV_H_

#include <stddef.h>
#include <stdint.h>

#include "src/xnnpack/microparams.h"

#ifdef __cplusplus
extern "C" {
#endif

// Depthwise convolutions for XNNPACK's dwconv-config.c, which wasm/cmake/xnnpack.cmake makes use them: channel tile 8.
#define TFLITE_WEBNN_DECLARE_DWCONV(kind, taps, element, packed, parameters)                               \
  void tflite_webnn_##kind##_ukernel_##taps##p8c__wasm(                                                    \
      size_t channels, size_t output_width, const element** input, const packed* weights, element* output, \
      intptr_t input_stride, size_t output_increment, size_t input_offset, size_t input_pixel_stride,      \
      const element* zero, const parameters* params);

TFLITE_WEBNN_DECLARE_DWCONV(f32_dwconv_minmax, 3, float, float, struct xnn_f32_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(f32_dwconv_minmax, 4, float, float, struct xnn_f32_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(f32_dwconv_minmax, 9, float, float, struct xnn_f32_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(f32_dwconv_minmax, 25, float, float, struct xnn_f32_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(f32_dwconv_minmax, 49, float, float, struct xnn_f32_minmax_params)

TFLITE_WEBNN_DECLARE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 3, int8_t, void, union xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 9, int8_t, void, union xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 25, int8_t, void, union xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 49, int8_t, void, union xnn_qs8_qc8w_conv_minmax_params)

TFLITE_WEBNN_DECLARE_DWCONV(qu8_dwconv_minmax_fp32, 9, uint8_t, void, union xnn_qu8_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(qu8_dwconv_minmax_fp32, 25, uint8_t, void, union xnn_qu8_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(qu8_dwconv_minmax_fp32, 49, uint8_t, void, union xnn_qu8_conv_minmax_params)

// The element of dwconv-config.c's arrays behind XNNPACK's own: up to 49 taps, e.g. 7 x 7. XNNPACK has none for more
// than 25, and computes each channel as a convolution of its own.
#define TFLITE_WEBNN_LARGE_DWCONV(type) TFLITE_WEBNN_LARGE_DWCONV_##type
#define TFLITE_WEBNN_LARGE_DWCONV_f32 \
  TFLITE_WEBNN_DWCONV_CONFIG(f32, f32_dwconv_minmax, xnn_init_f32_minmax_scalar_params)
#define TFLITE_WEBNN_LARGE_DWCONV_qs8_qc8w \
  TFLITE_WEBNN_DWCONV_CONFIG(qs8_qc8w, qs8_qc8w_dwconv_minmax_fp32, xnn_init_qs8_qc8w_conv_minmax_fp32_scalar_params)
#define TFLITE_WEBNN_LARGE_DWCONV_qu8 \
  TFLITE_WEBNN_DWCONV_CONFIG(qu8, qu8_dwconv_minmax_fp32, xnn_init_qu8_conv_minmax_fp32_scalar_params)
#define TFLITE_WEBNN_DWCONV_CONFIG(type, kind, function)                          \
  {                                                                               \
      .minmax = (xnn_dwconv_ukernel_fn)tflite_webnn_##kind##_ukernel_49p8c__wasm, \
      .init.type = function,                                                      \
      .channel_tile = 8,                                                          \
      .primary_tile = 49,                                                         \
  }

// Pack weights for the 8-bit kernels: XNNPACK's order, then taps interleaved.
#define TFLITE_WEBNN_DECLARE_DWCONV_PACK(kind, order, element, scales)                               \
  void tflite_webnn_pack_##kind##_dwconv_##order##_w(                                                \
      size_t primary_tile, size_t h, size_t w, size_t c, size_t channel_tile, const element* kernel, \
      const int32_t* bias, const scales* scale, void* packed_weights, size_t per_tile_extra_bytes,   \
      const struct xnn_##kind##_packing_params* params);

TFLITE_WEBNN_DECLARE_DWCONV_PACK(qs8, ghw, int8_t, float)
TFLITE_WEBNN_DECLARE_DWCONV_PACK(qs8, hwg, int8_t, float)
TFLITE_WEBNN_DECLARE_DWCONV_PACK(qu8, ghw, uint8_t, void)
TFLITE_WEBNN_DECLARE_DWCONV_PACK(qu8, hwg, uint8_t, void)

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_DWCONV_H_
