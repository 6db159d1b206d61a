#ifndef TFLITE_WEBNN_RUNTIME_DESCRIBE_SUBGRAPH_DESCRIPTION_H_
#define TFLITE_WEBNN_RUNTIME_DESCRIBE_SUBGRAPH_DESCRIPTION_H_

#include <string>

#include "runtime/execute/session.h"
#include "support/json_writer.h"

namespace tflite::webnn {

// All functions return "" for a subgraph that does not exist.

// What TFLite's Python bindings report about a subgraph, also before its tensors are allocated.

// JSON: a list of all tensors by index, including those that delegates added. Adds to tensor_description.h: TFLite's
// name of the type, the scale and zero point of the entire tensor, the block size of blockwise quantization, the kind
// of memory, and the sparsity.
std::string DescribeTensors(const Session& session, int subgraph_index);

// JSON: a list of all nodes, each with its op, inputs and outputs: those of the model in the order in which they run,
// also if delegates replaced them, then those that delegates added. The nodes of an inlined composite are in its place.
std::string DescribeNodes(const Session& session, int subgraph_index);

// JSON: an input and an output of each of UpdatesInPlace(), as [[input, output]].
std::string DescribeUpdatesInPlace(const Session& session, int subgraph_index);

// Writes the signatures: each with its subgraph, and its names of inputs and outputs.
void WriteSignatures(JsonWriter& json, const Model& model);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_DESCRIBE_SUBGRAPH_DESCRIPTION_H_
