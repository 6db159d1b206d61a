#ifndef TFLITE_WEBNN_KERNELS_DWCONV_H_
#define TFLITE_WEBNN_KERNELS_DWCONV_H_

#include <stddef.h>
#include <stdint.h>

#include "src/xnnpack/microparams.h"

#ifdef __cplusplus
extern "C" {
#endif

// Depthwise convolutions for XNNPACK's dwconv-config.c, which wasm/cmake/xnnpack.cmake makes use them: channel tile 8.
#define TFLITE_WEBNN_DECLARE_DWCONV(name, element, packed, parameters)                                           \
  void name(size_t channels, size_t output_width, const element** input, const packed* weights, element* output, \
            intptr_t input_stride, size_t output_increment, size_t input_offset, size_t input_pixel_stride,      \
            const element* zero, const parameters* params);

TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_f32_dwconv_minmax_ukernel_3p8c__wasm, float, float,
                            struct xnn_f32_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_f32_dwconv_minmax_ukernel_4p8c__wasm, float, float,
                            struct xnn_f32_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_f32_dwconv_minmax_ukernel_9p8c__wasm, float, float,
                            struct xnn_f32_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_f32_dwconv_minmax_ukernel_25p8c__wasm, float, float,
                            struct xnn_f32_minmax_params)

TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_qs8_qc8w_dwconv_minmax_fp32_ukernel_3p8c__wasm, int8_t, void,
                            union xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_qs8_qc8w_dwconv_minmax_fp32_ukernel_9p8c__wasm, int8_t, void,
                            union xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_qs8_qc8w_dwconv_minmax_fp32_ukernel_25p8c__wasm, int8_t, void,
                            union xnn_qs8_qc8w_conv_minmax_params)

TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_qu8_dwconv_minmax_fp32_ukernel_9p8c__wasm, uint8_t, void,
                            union xnn_qu8_conv_minmax_params)
TFLITE_WEBNN_DECLARE_DWCONV(tflite_webnn_qu8_dwconv_minmax_fp32_ukernel_25p8c__wasm, uint8_t, void,
                            union xnn_qu8_conv_minmax_params)

// Pack weights for the 8-bit kernels: XNNPACK's order, then taps interleaved.
#define TFLITE_WEBNN_DECLARE_DWCONV_PACK(name, element, scales, parameters)                                \
  void name(size_t primary_tile, size_t h, size_t w, size_t c, size_t channel_tile, const element* kernel, \
            const int32_t* bias, const scales* scale, void* packed_weights, size_t per_tile_extra_bytes,   \
            const struct parameters* params);

TFLITE_WEBNN_DECLARE_DWCONV_PACK(tflite_webnn_pack_qs8_dwconv_ghw_w, int8_t, float, xnn_qs8_packing_params)
TFLITE_WEBNN_DECLARE_DWCONV_PACK(tflite_webnn_pack_qs8_dwconv_hwg_w, int8_t, float, xnn_qs8_packing_params)
TFLITE_WEBNN_DECLARE_DWCONV_PACK(tflite_webnn_pack_qu8_dwconv_ghw_w, uint8_t, void, xnn_qu8_packing_params)
TFLITE_WEBNN_DECLARE_DWCONV_PACK(tflite_webnn_pack_qu8_dwconv_hwg_w, uint8_t, void, xnn_qu8_packing_params)

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TFLITE_WEBNN_KERNELS_DWCONV_H_
