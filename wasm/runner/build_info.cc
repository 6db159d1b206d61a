// Which module this is; the one file that differs between modules of the same objects.
#include <emscripten.h>

#include <string>

#include "runner/ops.h"

// JSON: the variant, the commits of what was compiled, and the names of the ops where not all are in it.
extern "C" EMSCRIPTEN_KEEPALIVE const char* tflite_runner_build_info() {
  static const std::string info =
      std::string("{\"variant\":\"" TFLITE_WEBNN_VARIANT "\",\"xnnpack\":\"" XNNPACK_COMMIT "\",\"selectedOps\":") +
      tflite::webnn::SelectedOps() + "}";
  return info.c_str();
}
