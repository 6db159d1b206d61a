#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_TFLITE_WEB_MODEL_RUNNER_OPTIONS_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_TFLITE_WEB_MODEL_RUNNER_OPTIONS_H_

#include <map>
#include <string>
#include <string_view>

#include "support/status.h"

namespace tflite::webnn {

// The options of the RFC and of this delegate.
struct TFLiteWebModelRunnerOptions {
  // More than one only where the module has threads. -1 for half of the processor's.
  int num_threads = 1;
  bool enable_xnnpack_delegate = true;
  bool enable_webnn_delegate = false;
  // As in TfLiteWebnnDelegateOptions; read where the delegate opens the MLContext.
  int webnn_device_preference = 0;
  int webnn_power_preference = 0;
  // Leaves XNNPACK, and the packing of its weights, out where WebNN is enabled and accepts no node: the caller then
  // releases the model.
  bool xnnpack_only_with_webnn = false;
  // Shapes of the inputs in the model's order, "1,224,224,3;;5": an empty one is unchanged.
  std::string input_shapes;
  // Delegates and allocates the model only in AllocateSubgraph(0), so that inputs can be resized before it and, without
  // enable_webnn_delegate, again after it.
  bool defer_allocation = false;
  // The subgraph that runs and whose nodes the delegates accept; that of a signature, if not 0.
  int main_subgraph = 0;
  // Keeps the memory of intermediate tensors, so that their values can be read after a run.
  bool preserve_all_tensors = false;
  // Lets XNNPACK reorder weights in the model's bytes, without enable_webnn_delegate: see UseFileOrder().
  bool reorder_weights = false;
  bool enable_profiling = false;
  int max_profiling_buffer_entries = 1024;
  // Makes resource variables of the main subgraph inputs and outputs, which the caller keeps (rewrite/variables.cc).
  bool external_variables = false;
  // The custom ops that JavaScript computes, a line for each (runtime/module/javascript_ops.h).
  std::string custom_ops;
  // WebnnHost's number of the MLContext in blocking mode; 0 in the other modes.
  int webnn_host_context = 0;
  // The delegate's own options (delegate/delegate_options.h) by name.
  std::map<std::string, std::string, std::less<>> webnn_options;

  // Sets the option with the name of its field, or "webnn_" and the name of a delegate's option. Fails with
  // INVALID_OPTION for unknown names and for text that is not a value of the option.
  Status Set(std::string_view key, std::string_view value);
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_TFLITE_WEB_MODEL_RUNNER_OPTIONS_H_
