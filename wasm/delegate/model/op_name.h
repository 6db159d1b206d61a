#ifndef TFLITE_WEBNN_DELEGATE_MODEL_OP_NAME_H_
#define TFLITE_WEBNN_DELEGATE_MODEL_OP_NAME_H_

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// The op's name: from BuiltinOperator ("CONV_2D"), or the custom op's.
inline const char* OpName(const TfLiteRegistration& registration) {
  if (registration.custom_name != nullptr) return registration.custom_name;
  return EnumNameBuiltinOperator(static_cast<BuiltinOperator>(registration.builtin_code));
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_MODEL_OP_NAME_H_
