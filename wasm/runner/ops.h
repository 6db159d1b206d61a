#ifndef TFLITE_WEBNN_RUNNER_OPS_H_
#define TFLITE_WEBNN_RUNNER_OPS_H_

#include <string_view>
#include <vector>

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite::webnn {

// Registers this module's kernels: those of all_ops.cc or, in a module for certain models, those of a file that
// wasm/toolchain/selection generates.
void AddOps(MutableOpResolver& resolver);

// The ops that a module for certain models lacks: names of builtin ("CONV_2D") and custom ops. Empty in a module with
// all ops.
const std::vector<std::string_view>& OpsLeftOut();

// JSON: the names of the ops in a module for certain models, "null" in a module with all ops.
const char* SelectedOps();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_OPS_H_
