#ifndef TFLITE_WEBNN_RUNNER_KERNELS_HYBRID_DEPTHWISE_CONV_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_HYBRID_DEPTHWISE_CONV_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's DEPTHWISE_CONV_2D, with SIMD where activations are float32, weights int8, and each of at least 8 channels
// has one filter: dynamic-range models, whose depthwise layers XNNPACK has no kernel for. TFLite's own has SIMD on ARM
// and x86 only; the bits are those that it gives on x86.
const TfLiteRegistration* RegisterHybridDepthwiseConv();
// The versions of the op that it computes.
inline constexpr int kHybridDepthwiseConvMinVersion = 1;
inline constexpr int kHybridDepthwiseConvMaxVersion = 7;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_HYBRID_DEPTHWISE_CONV_H_
