#ifndef TFLITE_WEBNN_DELEGATE_MODEL_OP_NAME_H_
#define TFLITE_WEBNN_DELEGATE_MODEL_OP_NAME_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// The op's name: from BuiltinOperator ("CONV_2D"), or the custom op's.
const char* OpName(const TfLiteRegistration& registration);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_MODEL_OP_NAME_H_
