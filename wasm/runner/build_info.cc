// Which module this is; the one file that differs between modules of the same objects.
#include <emscripten.h>

// JSON: the variant and the commits of what was compiled.
extern "C" EMSCRIPTEN_KEEPALIVE const char* tflite_runner_build_info() {
  return "{\"variant\":\"" TFLITE_WEBNN_VARIANT "\",\"xnnpack\":\"" XNNPACK_COMMIT "\"}";
}
