#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_VARIABLE_COPY_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_VARIABLE_COPY_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// Gives READ_VARIABLE or ASSIGN_VARIABLE a kernel that copies its one input to its one output, the variable's value
// in a tensor. It fails if the value's type or shape, which other kernels may decide, is not the variable's.
void BecomeVariableCopy(TfLiteRegistration& registration);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_VARIABLE_COPY_H_
