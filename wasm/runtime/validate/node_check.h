#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_CHECK_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_CHECK_H_

#include <string>

#include "runtime/validate/node_facts.h"

namespace tflite::webnn {

// The problem of a node that has the right number of tensors, or "". Covers only what crashes a kernel or delegate of
// TensorFlow Lite; they report other problems themselves.
std::string NodeProblem(const NodeFacts& node);

// The same for scales: kernels abort if these do not fit a fixed-point multiplier. In quantization_check.cc.
std::string QuantizationProblem(const NodeFacts& node);

// The same for what crashes a kernel only while it runs. In run_check.cc.
std::string RunProblem(const NodeFacts& node);

// The same for quantized tensors that XNNPACK's delegate takes and then crashes on. In xnnpack_check.cc.
std::string XnnpackProblem(const NodeFacts& node);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_CHECK_H_
