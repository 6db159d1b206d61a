#ifndef TFLITE_WEBNN_RUNNER_KERNELS_FLIPPING_QUANTIZE_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_FLIPPING_QUANTIZE_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's QUANTIZE, which only flips the highest bits where uint8 becomes int8 or back, scales are equal, and zero
// points 128 apart: what converters put at the ends of int8 networks whose inputs are uint8. XNNPACK does not take it,
// and TFLite multiplies and rounds each element, to the same end.
const TfLiteRegistration* RegisterFlippingQuantize();
// The versions of the op that it computes.
inline constexpr int kFlippingQuantizeMinVersion = 1;
inline constexpr int kFlippingQuantizeMaxVersion = 6;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_FLIPPING_QUANTIZE_H_
