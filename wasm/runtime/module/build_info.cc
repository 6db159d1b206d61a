// Identifies the module; the only file that differs between modules with the same objects.
#include <emscripten.h>

#include <string>

#include "tflite_kernels/op_resolver.h"

// JSON: the variant, XNNPACK's commit, and the names of the ops in a module for certain models, else null.
extern "C" EMSCRIPTEN_KEEPALIVE const char* tflite_runner_build_info() {
  static const std::string info =
      std::string("{\"variant\":\"" TFLITE_WEBNN_VARIANT "\",\"xnnpack\":\"" XNNPACK_COMMIT "\",\"selectedOps\":") +
      tflite::webnn::SelectedOps() + "}";
  return info.c_str();
}
