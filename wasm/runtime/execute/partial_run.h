#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_PARTIAL_RUN_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_PARTIAL_RUN_H_

#include "runtime/execute/node_profiler.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite::webnn {

// Runs the entries [first, first + count) of the plan of a subgraph with dynamic tensors: as a part of TFLite's own
// Invoke(), which gives memory to such tensors, and prepares the nodes that depend on them. Earlier entries must have
// run. `profiler` may be null.
TfLiteStatus InvokePart(Subgraph& subgraph, int first, int count, NodeProfiler* profiler);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_PARTIAL_RUN_H_
