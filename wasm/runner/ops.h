#ifndef TFLITE_WEBNN_RUNNER_OPS_H_
#define TFLITE_WEBNN_RUNNER_OPS_H_

#include <string_view>
#include <vector>

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite::webnn {

// Registers the kernels that this module has: those of all_ops.cc, or, in a module for certain models, those of a file
// that wasm/toolchain/selection makes.
void AddOps(MutableOpResolver& resolver);

// What was left out of a module for certain models: names of builtin ops ("CONV_2D") and of custom ones. Empty in a
// module with all ops.
const std::vector<std::string_view>& OpsLeftOut();

// JSON: the names of the ops in a module for certain models, "null" in one with all.
const char* SelectedOps();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_OPS_H_
