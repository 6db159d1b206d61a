#ifndef TFLITE_WEBNN_RUNNER_KERNELS_FLIPPING_QUANTIZE_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_FLIPPING_QUANTIZE_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's QUANTIZE, but between uint8 and int8 with equal scales and zero points 128 apart it only flips the highest
// bits. Converters put such nodes at the ends of int8 networks with uint8 inputs. XNNPACK does not take them, and
// TFLite's kernel multiplies and rounds each element, with the same result.
const TfLiteRegistration* RegisterFlippingQuantize();
// The versions of the op that it computes.
inline constexpr int kFlippingQuantizeMinVersion = 1;
inline constexpr int kFlippingQuantizeMaxVersion = 6;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_FLIPPING_QUANTIZE_H_
