#ifndef TFLITE_WEBNN_TFLITE_KERNELS_OP_RESOLVER_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_OP_RESOLVER_H_

#include <string>
#include <string_view>

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite::webnn {

// Registers this module's kernels with their guards: those of tflite_kernels/op_table.def or, in a module for certain
// models, the selected ones.
void AddOps(MutableOpResolver& resolver);

// Whether this module was built with the op, e.g. "CONV_2D", or a custom op's own name.
bool IsInBuild(std::string_view op);

// JSON: the names of the ops in a module for certain models, "null" in a module with all ops.
std::string SelectedOps();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_OP_RESOLVER_H_
