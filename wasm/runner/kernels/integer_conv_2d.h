#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_CONV_2D_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_CONV_2D_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's CONV_2D, with SIMD for int16 activations, int8 weights and 64-bit sums, for which TFLite has a reference
// kernel only. It gives the same bits.
const TfLiteRegistration* RegisterIntegerConv2d();
// The versions of the op that it computes.
inline constexpr int kIntegerConv2dMinVersion = 1;
inline constexpr int kIntegerConv2dMaxVersion = 8;

// TFLite's DEPTHWISE_CONV_2D, with SIMD for the same types, one filter for each channel, and at least 8 channels.
TfLiteStatus EvalIntegerDepthwiseConv2d(TfLiteContext* context, TfLiteNode* node);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_CONV_2D_H_
