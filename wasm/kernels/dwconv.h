#ifndef TFLITE_WEBNN_KERNELS_DWCONV_H_
#define TFLITE_WEBNN_KERNELS_DWCONV_H_

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

TFLITE_WEBNN_DECLARE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 3, int8_t, void, union xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 9, int8_t, void, union xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 25, int8_t, void, union xnn_qs8_qc8w_conv_minmax_params)

TFLITE_WEBNN_DECLARE_DWCONV(qu8_dwconv_minmax_fp32, 9, uint8_t, void, union xnn_qu8_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(qu8_dwconv_minmax_fp32, 25, uint8_t, void, union xnn_qu8_conv_minmax_params)

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

#endif  // TFLITE_WEBNN_KERNELS_DWCONV_H_
