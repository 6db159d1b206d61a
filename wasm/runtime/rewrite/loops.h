#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_LOOPS_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_LOOPS_H_

#include "runtime/rewrite/composites.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// Replaces each WHILE of a subgraph's plan by its body, once for each iteration, so that the WebNN delegate sees the
// nodes: the recurrent layers of Keras, and decoding for a fixed number of tokens. Call it before delegates are
// applied. Keeps a loop
//   - whose number of iterations depends on more than constants and counters;
//   - of more iterations, nodes or bytes of weights than are worth it;
//   - whose body has variables or composites.
// Notes in `composites` where nodes come from, and why a loop was kept.
void UnrollLoops(Interpreter& interpreter, const Model& model, int subgraph_index, Composites& composites);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_LOOPS_H_
