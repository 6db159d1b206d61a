#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_GRAPH_CHECK_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_GRAPH_CHECK_H_

#include <string>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// The error in a subgraph of a model whose flatbuffer verifies: "node 3 (PAD) has 1 input; ...", or "". The verifier
// checks offsets, not the graph: without this check an out-of-range index, a missing input, or an overflowing size
// would make the runtime read outside of its memory.
std::string GraphProblem(const Model& model, const SubGraph& subgraph);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_GRAPH_CHECK_H_
