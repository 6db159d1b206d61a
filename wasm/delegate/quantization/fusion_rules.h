#ifndef TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_RULES_H_
#define TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_RULES_H_

#include <string_view>
#include <vector>

#include "delegate/graph/webnn_graph.h"
#include "delegate/quantization/affine.h"
#include "support/status.h"

namespace tflite::webnn {

// One operator with the quantization of its operands. Null for an input that is not a dequantizeLinear's
// result, and for a result whose only reader is not a quantizeLinear.
struct QuantizedCall {
  const WebnnGraph::Operator& op;
  std::vector<const AffineOperand*> inputs;  // arguments first, then the operands among the options
  std::vector<const AffineOperand*> outputs;
  std::vector<OperandDescriptor> output_descriptors;

  const Value* FindOption(std::string_view name) const;
  float FloatOption(std::string_view name, float otherwise) const;
};

// An error with the condition that does not hold, unless the call fuses.
using FusionRule = Status (*)(const QuantizedCall& call);

// Null for an operator that never fuses.
FusionRule FindFusionRule(std::string_view op);

// Whether the clamp is one that engines fuse at any scale: (-1,1), (0,1), (0,6), (0,inf).
bool IsActivationClamp(const QuantizedCall& call);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_RULES_H_
