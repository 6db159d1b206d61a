#ifndef TFLITE_WEBNN_DELEGATE_MODEL_JAVASCRIPT_OP_H_
#define TFLITE_WEBNN_DELEGATE_MODEL_JAVASCRIPT_OP_H_

#include <cstddef>
#include <cstdint>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// The `init` of ops that are computed in JavaScript (runtime/module/javascript_ops.h): returns a number for each node,
// which remains when TFLite moves its nodes.
inline void* InitJavascriptOp(TfLiteContext*, const char*, size_t) {
  static intptr_t count = 0;
  return reinterpret_cast<void*>(++count);
}

// No delegate may accept such a node, even if it knows an op of this name.
inline bool IsJavascriptOp(const TfLiteRegistration& registration) { return registration.init == InitJavascriptOp; }

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_MODEL_JAVASCRIPT_OP_H_
