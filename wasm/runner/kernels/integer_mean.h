#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_MEAN_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_MEAN_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's MEAN, with SIMD for int16 over the last axes, for which TFLite has a reference kernel only. It gives the
// same bits.
const TfLiteRegistration* RegisterIntegerMean();
// The versions of the op that it computes.
inline constexpr int kIntegerMeanMinVersion = 1;
inline constexpr int kIntegerMeanMaxVersion = 3;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_MEAN_H_
