#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_SPARSITY_CHECK_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_SPARSITY_CHECK_H_

#include <string>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

// The sparse constant that TensorFlow Lite and XNNPACK's delegate could not make dense: they write to the positions
// that the file names, unchecked. Empty if there is none.
std::string SparsityProblem(const Interpreter& interpreter);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_SPARSITY_CHECK_H_
