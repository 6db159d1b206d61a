#include "delegate/model/op_name.h"

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

const char* OpName(const TfLiteRegistration& registration) {
  if (registration.custom_name != nullptr) return registration.custom_name;
  return EnumNameBuiltinOperator(static_cast<BuiltinOperator>(registration.builtin_code));
}

}  // namespace tflite::webnn
