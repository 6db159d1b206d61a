#ifndef TFLITE_WEBNN_RUNNER_KERNELS_CONVOLUTION_2D_TRANSPOSE_BIAS_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_CONVOLUTION_2D_TRANSPOSE_BIAS_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

inline constexpr char kConvolution2DTransposeBiasName[] = "Convolution2DTransposeBias";

// MediaPipe's transposed convolution with bias: input [n, h, w, ci], filter [co, kh, kw, ci], bias
// [co], all float32. The op's data is a TfLiteTransposeConvParams of version 1. The output is
// h * stride for SAME padding, (h - 1) * stride + kh for VALID.
//
// XNNPACK and the WebNN delegate usually take the op; this plain kernel computes its output shape while
// the graph is prepared, and runs it if neither does.
TfLiteRegistration* RegisterConvolution2DTransposeBias();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_CONVOLUTION_2D_TRANSPOSE_BIAS_H_
