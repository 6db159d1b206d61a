#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_SOFTMAX_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_SOFTMAX_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's SOFTMAX, with SIMD for int8 and int16, which XNNPACK does not take. It gives the same bits.
const TfLiteRegistration* RegisterIntegerSoftmax();
// The versions of the op that it computes.
inline constexpr int kIntegerSoftmaxMinVersion = 1;
inline constexpr int kIntegerSoftmaxMaxVersion = 3;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_SOFTMAX_H_
