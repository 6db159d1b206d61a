#ifndef TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_H_
#define TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_H_

#include <map>
#include <string>
#include <vector>

#include "delegate/quantization/affine.h"
#include "delegate/webnn_graph.h"

namespace tflite::webnn {

// What a graph builder knows of the quantized operands of its graph, by Operand::id.
struct QuantizedOperands {
  std::map<int, AffineOperand> dequantized;  // float results of dequantizeLinear
  std::map<int, AffineOperand> quantized;    // float operands that a quantizeLinear takes
  std::map<int, Operand> raw;                // what dequantizeLinear makes its results of
};

// The operators of one node, and what is around them.
struct NodeOperators {
  const WebnnGraph& graph;
  size_t first;  // of graph.operators
  const QuantizedOperands& operands;
  const std::vector<OperandDescriptor>& descriptors;  // by Operand::id
};

// Whether an engine computes each of the node's operators in integers: a dequantizeLinear before and a
// quantizeLinear after it are then one kernel with it. The conditions are those of Chromium's TFLite
// backend (services/webnn/tflite/graph_builder_tflite.cc), the strictest that is known; docs/quantization.md
// tells how they are met. Returns the first condition that does not hold, empty if all do.
std::string FailedFusionCondition(const NodeOperators& node);

// Whether the operator moves values without computing with them, so that what it moves keeps its scale and
// zero point.
bool MovesValues(std::string_view op);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_H_
