#ifndef TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_LITE_TOOLS_SERIALIZATION_WRITER_LIB_H_
#define TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_LITE_TOOLS_SERIALIZATION_WRITER_LIB_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite {

// Replaces TFLite's model writer, which needs code from its own generator. Kernel tests use it only with
// --dump_tflite_model_dir, and then report that there is no buffer.
class ModelWriter {
 public:
  explicit ModelWriter(Interpreter*) {}
  TfLiteStatus GetBuffer(std::unique_ptr<uint8_t[]>*, size_t*) { return kTfLiteError; }
};

}  // namespace tflite

#endif  // TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_LITE_TOOLS_SERIALIZATION_WRITER_LIB_H_
