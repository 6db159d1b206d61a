#ifndef TFLITE_WEBNN_RUNNER_GRAPH_CHECK_H_
#define TFLITE_WEBNN_RUNNER_GRAPH_CHECK_H_

#include <string>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// What is wrong with a subgraph of a model whose flatbuffer verifies: "node 3 (PAD) has 1 input; ...". Empty when
// nothing is. The verifier checks offsets, not the graph: without this an index that points nowhere, an input that is
// missing, or a size that overflows would make the runtime read outside of its memory.
std::string GraphProblem(const Model& model, const SubGraph& subgraph);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_GRAPH_CHECK_H_
