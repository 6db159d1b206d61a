#ifndef TFLITE_WEBNN_DELEGATE_MODEL_UNKNOWN_SHAPES_H_
#define TFLITE_WEBNN_DELEGATE_MODEL_UNKNOWN_SHAPES_H_

#include <set>

#include "tensorflow/lite/core/subgraph.h"

namespace tflite::webnn {

// The tensors whose shape is known only while the subgraph runs: those that a node allocates then, what is computed
// from them, and results of operations on variables and tables that come behind such a node. TFLite has to have
// prepared the subgraph; it leaves out what lies behind the first of these nodes in the plan.
std::set<int> TensorsOfUnknownShape(const Subgraph& subgraph);

// Moves the nodes that write such tensors to the end of the plan, in their order, so that TFLite prepares all others.
// Returns whether the plan has changed.
bool MoveUnknownShapesLast(Subgraph& subgraph);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_MODEL_UNKNOWN_SHAPES_H_
