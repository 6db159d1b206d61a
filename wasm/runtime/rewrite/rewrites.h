#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_REWRITES_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_REWRITES_H_

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/schema/schema_generated.h"

// Rewrites of a model's graphs, each in a file of its name: composites.cc, loops.cc, variables.cc,
// weight_decompression.cc, repeated_operands.cc, shape_folding.cc. rewrites.cc has the list in which they run, before
// delegates are applied. TFLite may report errors meanwhile.
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
// shared, not copied. Keeps a composite if its decomposition
//   - has variables, or an output that none of its nodes writes;
//   - differs from the node in the number, types or quantization of inputs and outputs;
//   - contains itself, or would make the subgraph too large.
// TFLite's own inlining (InterpreterOptions::SetShloCompositeInlining) checks none of this, misplaces optional inputs
// that are left out, and runs only after delegates have seen the composites.
// The result has an entry for each subgraph.
std::map<int, Composites> InlineComposites(Interpreter& interpreter, const Model& model);

// Replaces each WHILE of a subgraph's plan by its body, once for each iteration, so that the WebNN delegate sees the
// nodes: the recurrent layers of Keras, and decoding for a fixed number of tokens. Keeps a loop
//   - whose number of iterations depends on more than constants and counters;
//   - of more iterations, nodes or bytes of weights than are worth it;
//   - whose body has variables or composites.
// Notes in `composites` where nodes come from, and why a loop was kept.
void UnrollLoops(Interpreter& interpreter, const Model& model, int subgraph_index, Composites& composites);

// A resource variable that the caller keeps between runs: a run reads it from one tensor of the subgraph, which is an
// input then, and leaves its next value in another, an output.
struct Variable {
  std::string name;
  int input = -1;
  int output = -1;
  std::vector<char> initial;  // what the subgraph of CALL_ONCE assigns; empty for zeros
};

struct Variables {
  std::vector<Variable> outside;
  // The values of variables that are never assigned: constants of the subgraph point at them.
  std::list<std::vector<char>> constants;
  // Why the others remain resources of TFLite, by index of the nodes that use them.
  std::map<int, std::string> kept;
  // Whether the interpreter has variables or tables, which all subgraphs share.
  bool are_shared = false;
};

// Takes resource variables out of the plan of a subgraph. Each ASSIGN_VARIABLE makes a new tensor of its value, and
// each READ_VARIABLE copies the one that is the latest in the order of the plan, so that nothing but tensors orders the
// nodes; VAR_HANDLE and CALL_ONCE go. Keeps a variable
//   - that another subgraph uses, but for one that CALL_ONCE runs;
//   - that is used by anything but READ_VARIABLE and ASSIGN_VARIABLE;
//   - whose values may differ in type or shape;
//   - that is read before it has a value.
Variables TakeVariablesOut(Interpreter& interpreter, int subgraph_index);

// Content of a tensor. It must outlive the interpreter.
struct DecompressedWeight {
  const void* constant;  // that it consists of
  std::unique_ptr<char[]> content;
  size_t size_bytes;
};

// Subgraphs share equal ones.
using DecompressedWeights = std::vector<DecompressedWeight>;

// Widens the weights of less than 8 bits that a kernel would read as wider ones: to int8 or int4 if it accepts these,
// else to float32.
//
// If `may_remove_nodes`, dequantizes the constants of DEQUANTIZE nodes that XNNPACK does not accept, those of less than
// 8 bits and those that the caller reads, and removes the nodes from the plans. XNNPACK then sees constant float
// weights; it leaves a FULLY_CONNECTED with computed weights to TFLite's kernel, which is ten times slower.
DecompressedWeights DecompressWeights(Interpreter& interpreter, bool may_remove_nodes);

// A shape that the file's graph has; -1 for a size that may change.
struct KnownShape {
  int subgraph;
  int tensor;
  std::vector<int> shape;
};

using KnownShapes = std::vector<KnownShape>;

// Several heads of attention may share a cache: converters then repeat it with BROADCAST_TO, scale, transpose and
// reshape what comes of that, and BATCH_MATMUL multiplies each repetition by its own rows. Here one product has the
// rows of all repetitions, and the cache is not repeated: [6, M, K] x [6, K, N] of [2, 3] heads becomes [2, 3 * M, K] x
// [2, K, N], with the same bits.
//
// Returns the shapes that this relies on. Where inputs are resized so that one of them changes, the model must be
// prepared again.
KnownShapes RemoveRepetitions(Interpreter& interpreter);

// Makes the registered kernels of ops that compute shapes do so while the graph is prepared, if all inputs are known by
// then, and makes TRANSPOSE_CONV and SLICE accept shapes that are known so.
//
// Converters write models with an open batch as SHAPE, SLICE or STRIDED_SLICE, arithmetic, CONCATENATION or PACK,
// RESHAPE. TFLite's kernels fold only some of these, and one that does not makes the remainder of the model dynamic,
// although its inputs have fixed shapes: delegates that need static shapes then fail.
void FoldShapes(MutableOpResolver& resolver);

// What the rewrites leave. It must outlive the interpreter.
struct Rewrites {
  std::map<int, Composites> composites;  // by subgraph
  Variables variables;
  DecompressedWeights decompressed_weights;
  KnownShapes known_shapes;  // of the model as it is prepared
};

struct RewriteOptions {
  int main_subgraph;
  bool unroll_loops;
  bool extract_variables;
};

// Before all delegates.
void RewriteGraphs(Interpreter& interpreter, const Model& model, const RewriteOptions& options, Rewrites& rewrites);

// Between the WebNN delegate, which unpacks weights itself, and XNNPACK's. A plan that WebNN has changed must not lose
// nodes.
void RewriteForXnnpack(Interpreter& interpreter, bool may_remove_nodes, bool removes_repetitions, Rewrites& rewrites);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_REWRITES_H_
