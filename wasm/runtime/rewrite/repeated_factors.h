#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_REPEATED_FACTORS_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_REPEATED_FACTORS_H_

#include <vector>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

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
// [2, K, N], with the same bits. Call it before delegates are applied. TFLite may
// report errors meanwhile.
//
// Returns the shapes that this relies on. Where inputs are resized so that one of them changes, the model must be
// prepared again.
KnownShapes RemoveRepetitions(Interpreter& interpreter);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_REPEATED_FACTORS_H_
