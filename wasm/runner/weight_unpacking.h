#ifndef TFLITE_WEBNN_RUNNER_WEIGHT_UNPACKING_H_
#define TFLITE_WEBNN_RUNNER_WEIGHT_UNPACKING_H_

#include <memory>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

// Contents of tensors; they must outlive the interpreter.
using UnpackedWeights = std::vector<std::unique_ptr<char[]>>;

// Dequantizes the constants of DEQUANTIZE nodes that XNNPACK does not take, those of less than 8 bits, and removes the
// nodes from the plans. XNNPACK then sees constant float weights; it leaves a FULLY_CONNECTED with computed weights to
// TFLite's kernel, which is ten times slower. int2 weights become int8, for which XNNPACK has SIMD kernels in wasm.
// Call it before delegates are applied.
UnpackedWeights UnpackWeights(Interpreter& interpreter);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_WEIGHT_UNPACKING_H_
