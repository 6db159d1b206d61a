#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_VALIDATE_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_VALIDATE_H_

#include <cstddef>
#include <cstdint>
#include <set>

#include "support/status.h"
#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// Validates a buffer before an interpreter is built from it: a complete, well-formed TFLite flatbuffer with
// a schema version and ops that this runtime supports. Contents that the file assigns to results of nodes go.
Status Validate(uint8_t* buffer, size_t size_bytes, const OpResolver& resolver, int main_subgraph = 0);

// Rejects a subgraph that runs, or calls a subgraph with, a custom op without a kernel. Validate() does so for the main
// one: the others may never run.
Status ValidateCustomOps(const Model& model, int64_t subgraph_index, const OpResolver& resolver);

// The subgraphs whose inputs and outputs a caller of the model sees: the main one, and those of signatures. The
// interpreter would find each signature by comparing its name with all others. In calls.cc.
std::set<int64_t> EntrySubgraphs(const Model& model);

// Whether a node calls the main subgraph or a signature's: it takes the memory of inputs, so that each of them runs
// only as the main subgraph of an interpreter. In calls.cc.
bool CallsSignatures(const Model& model);

// Whether a node calls this subgraph, or it calls the main subgraph or a signature's. In calls.cc.
bool SharesInputs(const Model& model, int64_t subgraph_index);

// Rejects a sparse constant that TensorFlow Lite and XNNPACK's delegate could not make dense: they write to the
// positions that the file names, unchecked.
Status ValidateSparsity(const Interpreter& interpreter);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_VALIDATE_H_
