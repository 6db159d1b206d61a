#ifndef TFLITE_WEBNN_RUNNER_NODE_CHECK_H_
#define TFLITE_WEBNN_RUNNER_NODE_CHECK_H_

#include <string>

#include "runner/node_facts.h"

namespace tflite::webnn {

// What is wrong with a node that has the right number of tensors, or "". Only what a kernel or delegate of TensorFlow
// Lite would crash on while it is prepared; what they refuse by themselves is left to them.
std::string NodeProblem(const NodeFacts& node);

// The same for scales, which some kernels demand with an abort: that there are any, and that none is so far from the
// others that it cannot be computed with. In quantization_check.cc.
std::string QuantizationProblem(const NodeFacts& node);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_NODE_CHECK_H_
