// The C functions that JavaScript calls (js/runtime/src/wasm_runner.ts). Strings are UTF-8; those
// returned live until the next call of the same function with the same runner.
#include <emscripten.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "delegate/op_registry.h"
#include "runner/description.h"
#include "runner/tflite_web_model_runner.h"

namespace {

using tflite::webnn::RunnerError;
using tflite::webnn::TFLiteWebModelRunner;

struct Runner {
  TFLiteWebModelRunner runner;
  bool initialized = false;
  std::string error;
  std::string description;

  // 0 for success, as the functions return it.
  int Record(const RunnerError& result) {
    error = result.ToJson();
    return result.ok() ? 0 : 1;
  }
};

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE Runner* tflite_runner_create() { return new Runner; }

EMSCRIPTEN_KEEPALIVE void tflite_runner_delete(Runner* runner) { delete runner; }

EMSCRIPTEN_KEEPALIVE int tflite_runner_set_option(Runner* runner, const char* key, const char* value) {
  return runner->Record(runner->runner.options().Set(key, value));
}

// Takes the buffer, which malloc made, whatever happens.
EMSCRIPTEN_KEEPALIVE int tflite_runner_init(Runner* runner, uint8_t* model, uint32_t size_bytes) {
  const RunnerError result = runner->runner.InitFromBuffer({model, free}, size_bytes);
  runner->initialized = result.ok();
  return runner->Record(result);
}

EMSCRIPTEN_KEEPALIVE const char* tflite_runner_error(Runner* runner) { return runner->error.c_str(); }

// "" before a successful init.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_description(Runner* runner) {
  runner->description = runner->initialized ? tflite::webnn::DescribeModel(runner->runner) : "";
  return runner->description.c_str();
}

EMSCRIPTEN_KEEPALIVE int tflite_runner_invoke(Runner* runner) { return runner->Record(runner->runner.Invoke()); }

EMSCRIPTEN_KEEPALIVE int tflite_runner_invoke_steps(Runner* runner, int first, int count) {
  return runner->Record(runner->runner.InvokeSteps(first, count));
}

// Null for an index that does not exist.
EMSCRIPTEN_KEEPALIVE char* tflite_runner_tensor_data(Runner* runner, int tensor) {
  const TfLiteTensor* found = runner->runner.tensor(tensor);
  return found ? found->data.raw : nullptr;
}

EMSCRIPTEN_KEEPALIVE uint32_t tflite_runner_tensor_size_bytes(Runner* runner, int tensor) {
  const TfLiteTensor* found = runner->runner.tensor(tensor);
  return found ? static_cast<uint32_t>(found->bytes) : 0;
}

// JSON: what the delegate knows of each builtin op.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_describe_ops() {
  static const std::string description = tflite::webnn::DescribeOps();
  return description.c_str();
}

// JSON: the variant and the commits of what was compiled.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_build_info() {
  return "{\"variant\":\"" TFLITE_WEBNN_VARIANT "\",\"xnnpack\":\"" XNNPACK_COMMIT "\"}";
}

}  // extern "C"
