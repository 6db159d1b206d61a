#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_MODEL_CHECK_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_MODEL_CHECK_H_

#include <cstddef>
#include <cstdint>

#include "support/status.h"
#include "tensorflow/lite/core/api/op_resolver.h"

namespace tflite::webnn {

// Checks a buffer before an interpreter is built from it: a complete, well-formed TFLite flatbuffer with
// a schema version and ops that this runtime supports. Contents that the file gives to results of nodes go.
Status CheckModel(uint8_t* buffer, size_t size_bytes, const OpResolver& resolver);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_MODEL_CHECK_H_
