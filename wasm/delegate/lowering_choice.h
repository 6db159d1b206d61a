#ifndef TFLITE_WEBNN_DELEGATE_LOWERING_CHOICE_H_
#define TFLITE_WEBNN_DELEGATE_LOWERING_CHOICE_H_

#include "delegate/builder/graph_builder.h"
#include "delegate/quantization/quantized_form.h"
#include "support/status.h"

namespace tflite::webnn {

struct LoweringChoice {
  NodeLowering lowering;
  Status status;  // an error if the node cannot be lowered
};

// Decides whether and in which form to lower a node: a quantized node fused if engines compute all of it
// in integers, else in float, else not at all. `checker` must not emit.
LoweringChoice ChooseLowering(const OpView& op, GraphBuilder& checker);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_LOWERING_CHOICE_H_
