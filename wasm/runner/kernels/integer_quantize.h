#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_QUANTIZE_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_QUANTIZE_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's QUANTIZE and DEQUANTIZE, with SIMD for what XNNPACK does not take:
// - Between uint8 and int8 with equal scales and zero points 128 apart only the highest bits are flipped. Converters
// put
//   such nodes at the ends of int8 networks with uint8 inputs.
// - Between float32 and int16. To int16, these are native LiteRT's bits; TFLite's own kernel in wasm rounds
// differently.
const TfLiteRegistration* RegisterIntegerQuantize();
const TfLiteRegistration* RegisterIntegerDequantize();
// The versions of the ops that they compute.
inline constexpr int kIntegerQuantizeMinVersion = 1;
inline constexpr int kIntegerQuantizeMaxVersion = 6;
inline constexpr int kIntegerDequantizeMinVersion = 1;
inline constexpr int kIntegerDequantizeMaxVersion = 8;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_QUANTIZE_H_
