#include "runtime/rewrite/rewrites.h"

#include "runtime/rewrite/resources.h"

namespace tflite::webnn {

void RewriteGraphs(Interpreter& interpreter, const Model& model, const RewriteOptions& options, Rewrites& rewrites) {
  rewrites.composites = InlineComposites(interpreter, model);
  Composites& composites = rewrites.composites[options.main_subgraph];
  if (options.unroll_loops) UnrollLoops(interpreter, model, options.main_subgraph, composites);
  if (options.extract_variables) {
    rewrites.variables = TakeVariablesOut(interpreter, options.main_subgraph);
    composites.kept.merge(rewrites.variables.kept);
  } else {
    rewrites.variables.are_shared = HasResources(interpreter);
  }
  KeepOrderOfStates(interpreter);
}

void RewriteForXnnpack(Interpreter& interpreter, bool may_remove_nodes, bool removes_repetitions, Rewrites& rewrites) {
  rewrites.decompressed_weights = DecompressWeights(interpreter, may_remove_nodes);
  if (removes_repetitions) rewrites.known_shapes = RemoveRepetitions(interpreter);
}

}  // namespace tflite::webnn
