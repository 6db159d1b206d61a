#ifndef TFLITE_WEBNN_RUNTIME_MODULE_JAVASCRIPT_OPS_H_
#define TFLITE_WEBNN_RUNTIME_MODULE_JAVASCRIPT_OPS_H_

#include <string>

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite::webnn {

// Registers the custom ops that JavaScript computes. Their kernels call Module.customOps
// (js/packages/core/src/wasm/custom_ops_host.ts).
//
// `names` has a line for each op. It must outlive the resolver, and its lines become C strings.
void AddJavascriptOps(std::string& names, MutableOpResolver& resolver);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_MODULE_JAVASCRIPT_OPS_H_
