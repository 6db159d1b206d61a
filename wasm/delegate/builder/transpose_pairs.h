#ifndef TFLITE_WEBNN_DELEGATE_BUILDER_TRANSPOSE_PAIRS_H_
#define TFLITE_WEBNN_DELEGATE_BUILDER_TRANSPOSE_PAIRS_H_

#include "delegate/graph/webnn_graph.h"

namespace tflite::webnn {

// A browser removes transposes with elementwise operators between them and their inverses. Some of these make it
// compute wrong numbers or end the page (docs/reference/browser-bugs.md): adds transposes that keep it from these.
// Returns whether any were needed.
bool KeepTransposePairs(WebnnGraph* graph);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_BUILDER_TRANSPOSE_PAIRS_H_
