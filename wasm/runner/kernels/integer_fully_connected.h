#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_FULLY_CONNECTED_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_FULLY_CONNECTED_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's FULLY_CONNECTED, with SIMD for int16 activations and int8 weights, for which XNNPACK has no kernel. It gives
// the same bits.
const TfLiteRegistration* RegisterIntegerFullyConnected();
// The versions of the op that it computes.
inline constexpr int kIntegerFullyConnectedMinVersion = 1;
inline constexpr int kIntegerFullyConnectedMaxVersion = 14;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_FULLY_CONNECTED_H_
