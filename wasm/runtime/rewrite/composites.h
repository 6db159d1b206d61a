#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_COMPOSITES_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_COMPOSITES_H_

#include <map>
#include <string>

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// The STABLEHLO_COMPOSITE or the WHILE that a node belonged to.
struct CompositeOrigin {
  std::string name;    // such as "odml.rms_norm"; "WHILE" for an iteration of a loop
  int node_index = 0;  // in the file
};

// What became of a subgraph's composites and loops.
struct Composites {
  std::map<int, CompositeOrigin> origins;  // by the index of each inlined node
  std::map<int, std::string> kept;         // why a composite was not inlined, by its node index
};

// Replaces each composite of the plans by the nodes of its decomposition, so that delegates see them. Weights are
// shared, not copied. Call it before delegates are applied. Keeps a composite if its decomposition
//   - has variables, or an output that none of its nodes writes;
//   - differs from the node in the number, types or quantization of inputs and outputs;
//   - contains itself, or would make the subgraph too large.
// TFLite's own inlining (InterpreterOptions::SetShloCompositeInlining) checks none of this, misplaces optional inputs
// that are left out, and runs only after delegates have seen the composites.
// The result has an entry for each subgraph.
std::map<int, Composites> InlineComposites(Interpreter& interpreter, const Model& model);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_COMPOSITES_H_
