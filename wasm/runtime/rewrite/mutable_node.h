#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_MUTABLE_NODE_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_MUTABLE_NODE_H_

#include <utility>

#include "tensorflow/lite/core/subgraph.h"

namespace tflite::webnn {

// A node of a subgraph, to change or run it: TFLite returns it const from a subgraph that is not.
inline std::pair<TfLiteNode, TfLiteRegistration>& MutableNode(Subgraph& graph, int index) {
  return const_cast<std::pair<TfLiteNode, TfLiteRegistration>&>(*graph.node_and_registration(index));
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_MUTABLE_NODE_H_
