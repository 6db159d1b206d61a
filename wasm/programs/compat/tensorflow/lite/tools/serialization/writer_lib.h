#ifndef TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_LITE_TOOLS_SERIALIZATION_WRITER_LIB_H_
#define TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_LITE_TOOLS_SERIALIZATION_WRITER_LIB_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite {

// Stands in for TFLite's writer of models, whose code a generator of its own has to write first. Kernel tests ask for
// it with --dump_tflite_model_dir only, and report that the buffer cannot be had.
class ModelWriter {
 public:
  explicit ModelWriter(Interpreter*) {}
  TfLiteStatus GetBuffer(std::unique_ptr<uint8_t[]>*, size_t*) { return kTfLiteError; }
};

}  // namespace tflite

#endif  // TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_LITE_TOOLS_SERIALIZATION_WRITER_LIB_H_
