#ifndef TFLITE_WEBNN_RUNTIME_MODULE_TFLITE_WEB_MODEL_RUNNER_H_
#define TFLITE_WEBNN_RUNTIME_MODULE_TFLITE_WEB_MODEL_RUNNER_H_

#include <cstddef>
#include <memory>
#include <string_view>

#include "runtime/execute/loader.h"
#include "runtime/execute/session.h"
#include "runtime/execute/tflite_web_model_runner_options.h"
#include "support/status.h"
#include "tensorflow/lite/core/api/op_resolver.h"

namespace tflite::webnn {

// The RFC's class: loads a model, applies the delegates, and runs the remainder on the CPU. JavaScript runs the plan's
// WebNN steps from their description (description.h).
class TFLiteWebModelRunner {
 public:
  TFLiteWebModelRunner();

  TFLiteWebModelRunnerOptions& options() { return options_; }

  // Takes ownership of the model's bytes. Call once.
  Status InitFromBuffer(ModelBytes bytes, size_t size_bytes);
  // The RFC's: copies the model's bytes, and takes the kernels from `resolver` in place of the module's.
  Status InitFromBuffer(const char* model_buffer_data, size_t model_buffer_size, std::unique_ptr<OpResolver> resolver);
  // Runs the entire plan. Fails with INVOKE_FAILED if it has a WebNN step and there is no host.
  Status Invoke() { return session().Invoke(); }

  // What loads and resizes the model.
  Loader& loader() { return loader_; }
  // What runs it. After a successful InitFromBuffer() only.
  Session& session() const { return *loader_.session(); }

 private:
  TFLiteWebModelRunnerOptions options_;
  std::unique_ptr<OpResolver> resolver_;
  Loader loader_{options_};
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_MODULE_TFLITE_WEB_MODEL_RUNNER_H_
