#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_ELEMENTWISE_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_ELEMENTWISE_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's ADD, SUB and MUL, with SIMD for int16, and SQUARED_DIFFERENCE, with SIMD for int8: TFLite has none for wasm.
// They give the same bits.
const TfLiteRegistration* RegisterIntegerAdd();
const TfLiteRegistration* RegisterIntegerMul();
const TfLiteRegistration* RegisterIntegerSub();
const TfLiteRegistration* RegisterIntegerSquaredDifference();
// The versions of the ops that they compute.
inline constexpr int kIntegerAddMinVersion = 1;
inline constexpr int kIntegerAddMaxVersion = 5;
inline constexpr int kIntegerMulMinVersion = 1;
inline constexpr int kIntegerMulMaxVersion = 7;
inline constexpr int kIntegerSubMinVersion = 1;
inline constexpr int kIntegerSubMaxVersion = 5;
inline constexpr int kIntegerSquaredDifferenceMinVersion = 1;
inline constexpr int kIntegerSquaredDifferenceMaxVersion = 2;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_ELEMENTWISE_H_
