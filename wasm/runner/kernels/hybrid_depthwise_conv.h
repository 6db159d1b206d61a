#ifndef TFLITE_WEBNN_RUNNER_KERNELS_HYBRID_DEPTHWISE_CONV_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_HYBRID_DEPTHWISE_CONV_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's DEPTHWISE_CONV_2D, with SIMD for float32 activations, int8 weights, and at least 8 channels of one filter
// each: dynamic-range models, for whose depthwise layers XNNPACK has no kernel. TFLite's own kernel has SIMD on ARM and
// x86 only; this one gives the same bits as on x86. int16 activations are integer_conv_2d.h's.
const TfLiteRegistration* RegisterHybridDepthwiseConv();
// The versions of the op that it computes.
inline constexpr int kHybridDepthwiseConvMinVersion = 1;
inline constexpr int kHybridDepthwiseConvMaxVersion = 7;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_HYBRID_DEPTHWISE_CONV_H_
