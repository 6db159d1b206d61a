#ifndef TFLITE_WEBNN_RUNNER_KERNELS_BYTE_HARD_SWISH_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_BYTE_HARD_SWISH_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's HARD_SWISH, which XNNPACK takes in float only. Of large int8 and uint8 tensors TFLite's kernel computes all
// 256 numbers, and this one looks them up.
const TfLiteRegistration* RegisterByteHardSwish();
// The version of the op that it computes.
inline constexpr int kByteHardSwishMinVersion = 1;
inline constexpr int kByteHardSwishMaxVersion = 1;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_BYTE_HARD_SWISH_H_
