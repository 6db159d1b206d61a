#ifndef TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_H_
#define TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_H_

#include <map>
#include <string_view>
#include <vector>

#include "delegate/graph/webnn_graph.h"
#include "delegate/quantization/affine.h"
#include "support/status.h"

namespace tflite::webnn {

// The quantized operands of a graph being built, by Operand::id.
struct QuantizedOperands {
  std::map<int, AffineOperand> dequantized;  // float results of dequantizeLinear
  std::map<int, AffineOperand> quantized;    // float inputs of quantizeLinear
  std::map<int, Operand> raw;                // integer inputs of dequantizeLinear, by its results
};

// The operators of one node, within their graph.
struct NodeOperators {
  const WebnnGraph& graph;
  size_t first;  // of graph.operators
  const QuantizedOperands& operands;
  const std::vector<OperandDescriptor>& descriptors;  // by Operand::id
};

// An error with the first condition that keeps engines from computing the node's operators in integers, if any.
// An engine fuses an operator with the dequantizeLinear before and the quantizeLinear after it. The conditions
// are those of Chromium's TFLite backend (services/webnn/tflite/graph_builder_tflite.cc), the strictest known;
// docs/explanation/quantization.md describes how the delegate meets them.
Status CheckFusion(const NodeOperators& node);

// Whether the operator moves values without computing, so that they keep scale and zero point.
bool MovesValues(std::string_view op);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_H_
