#ifndef TFLITE_WEBNN_RUNNER_NODE_CHECK_H_
#define TFLITE_WEBNN_RUNNER_NODE_CHECK_H_

#include <string>

#include "runner/node_facts.h"

namespace tflite::webnn {

// What is wrong with a node that has the right number of tensors, or "". Only what a kernel or delegate of TensorFlow
// Lite would crash on while it is prepared; what they refuse by themselves is left to them.
std::string NodeProblem(const NodeFacts& node);

// The same for scales: kernels make fixed-point multipliers of them, and abort where they cannot. quantization_check.cc
std::string QuantizationProblem(const NodeFacts& node);

// The same for quantized tensors that XNNPACK's delegate takes, and then crashes on. xnnpack_check.cc
std::string XnnpackProblem(const NodeFacts& node);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_NODE_CHECK_H_
