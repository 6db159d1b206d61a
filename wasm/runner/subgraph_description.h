#ifndef TFLITE_WEBNN_RUNNER_SUBGRAPH_DESCRIPTION_H_
#define TFLITE_WEBNN_RUNNER_SUBGRAPH_DESCRIPTION_H_

#include <string>

#include "runner/tflite_web_model_runner.h"

namespace tflite::webnn {

// What TFLite's bindings for Python tell of a subgraph; both also before its tensors are allocated, and "" for a
// subgraph that does not exist.

// JSON: a list of all tensors, those that delegates added too, in the order of their indices. Besides what
// tensor_description.h tells: TFLite's name of the type, the scale and zero point that stand for the whole tensor, the
// size of the blocks of a quantization in blocks, the kind of its memory, its sparsity.
std::string DescribeTensors(const TFLiteWebModelRunner& runner, int subgraph_index);

// JSON: a list of all nodes, those that delegates have replaced and those that they added, each with its op, inputs and
// outputs.
std::string DescribeNodes(const TFLiteWebModelRunner& runner, int subgraph_index);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_SUBGRAPH_DESCRIPTION_H_
