#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_GRAPH_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_GRAPH_H_

#include <cstdint>
#include <set>

#include "support/status.h"
#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// Validates a subgraph of a model whose flatbuffer verifies: "node 3 (PAD) has 1 input; ...". The verifier checks
// offsets, not the graph: an out-of-range index, a missing input, or an overflowing size would make the runtime read
// outside of its memory.
Status ValidateGraph(const Model& model, const SubGraph& subgraph, const OpResolver& resolver);

// Rejects nodes whose calls of subgraphs TensorFlow Lite could not prepare: WHILE, IF, CALL_ONCE, composites. The
// graphs themselves must be validated already. Kernels reject subgraphs that do not exist. In calls.cc.
Status ValidateCalls(const Model& model);

// The op codes, by index, of nodes that run with a subgraph: its own, and those of subgraphs that it calls. The graphs
// need not be validated. In calls.cc.
std::set<int64_t> RunnableOpCodes(const Model& model, int64_t subgraph_index);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_GRAPH_H_
