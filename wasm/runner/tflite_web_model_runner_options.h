#ifndef TFLITE_WEBNN_RUNNER_TFLITE_WEB_MODEL_RUNNER_OPTIONS_H_
#define TFLITE_WEBNN_RUNNER_TFLITE_WEB_MODEL_RUNNER_OPTIONS_H_

#include <map>
#include <string>
#include <string_view>

#include "runner/runner_error.h"

namespace tflite::webnn {

// The options of the RFC, with what today's delegate takes.
struct TFLiteWebModelRunnerOptions {
  // More than one only where the module has threads.
  int num_threads = 1;
  bool enable_xnnpack_delegate = true;
  bool enable_webnn_delegate = false;
  // Shapes of the inputs in the model's order, "1,224,224,3;;5": an empty one stays as it is.
  std::string input_shapes;
  // Whether the model is neither delegated nor allocated before AllocateSubgraph(0): it can be resized before, and
  // again after. Not with enable_webnn_delegate.
  bool defer_allocation = false;
  // Tensors between nodes keep their memory, so that their values can be read after a run.
  bool preserve_all_tensors = false;
  bool enable_profiling = false;
  int max_profiling_buffer_entries = 1024;
  // The number by which JavaScript's WebnnHost knows the context to compute on, in blocking mode; 0 for the other
  // modes.
  int webnn_host_context = 0;
  // The delegate's own options (delegate/delegate_options.h) by name.
  std::map<std::string, std::string, std::less<>> webnn_options;

  // Sets the option named like its field, or "webnn_" and the name of a delegate's option. Fails with INVALID_OPTION
  // for unknown names, and for text that spells no value of the option.
  RunnerError Set(std::string_view key, std::string_view value);
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_TFLITE_WEB_MODEL_RUNNER_OPTIONS_H_
