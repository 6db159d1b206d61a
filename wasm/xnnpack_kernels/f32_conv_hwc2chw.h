#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_F32_CONV_HWC2CHW_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_F32_CONV_HWC2CHW_H_

#include <stddef.h>

#include "src/xnnpack/microparams.h"

#ifdef __cplusplus
extern "C" {
#endif

// For XNNPACK's conv-hwc2chw-config.c, which wasm/cmake/xnnpack.cmake makes use it; parameters as in microfnptr.h.
// Reads nothing behind the input.
void tflite_webnn_f32_conv_hwc2chw_ukernel_3x3s2p1c3x4__wasm(
    size_t input_height, size_t input_width, size_t output_y_start, size_t output_y_end, const float* input,
    const float* zero, const float* weights, float* output, size_t input_padding_top, size_t output_channels,
    size_t output_height_stride, size_t output_channel_stride, const struct xnn_f32_minmax_params* params);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_F32_CONV_HWC2CHW_H_
