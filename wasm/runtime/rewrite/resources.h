#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_RESOURCES_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_RESOURCES_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

using VariableKey = std::pair<std::string, std::string>;  // container and name, as in TFLite's ResourceIDMap

struct VariableHandle {
  VariableKey key;
  const char* name;  // in the file
};

// The tensors of a subgraph that hold handles of variables.
std::map<int, VariableHandle> VariableHandlesOf(const Subgraph& graph);

// The variables that a subgraph without CALL_ONCE reads before it assigns them: they may not have a value.
std::set<VariableKey> VariablesReadFirst(Interpreter& interpreter);

// Whether a subgraph may run while the model is loaded: it ends, and its kernels check what they read. Those of strings
// and tables trust the file.
bool MayRunEarly(const Subgraph& graph);

// What the nodes of an allocated subgraph write.
uint64_t WrittenBytes(const Subgraph& graph);

// Whether nodes use variables or tables of TFLite, in subgraphs other than these.
bool HasResources(const Interpreter& interpreter, const std::set<int>& unused = {});

// Lets nodes that share a state, a variable tensor, run in the order of the file: partitions of delegates keep only
// the order of tensors and of side effects.
void KeepOrderOfStates(Interpreter& interpreter);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_RESOURCES_H_
