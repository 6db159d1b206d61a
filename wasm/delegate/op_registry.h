#ifndef TFLITE_WEBNN_DELEGATE_OP_REGISTRY_H_
#define TFLITE_WEBNN_DELEGATE_OP_REGISTRY_H_

#include "delegate/graph_builder.h"
#include "delegate/graph_view.h"
#include "delegate/quantized_form.h"

namespace tflite::webnn {

// Lowers one node to WebNN, or refuses with a reason. Run with a checking builder it answers whether
// the node is supported, run with an emitting builder it writes the operators: one function for both.
using LowerFunction = void (*)(const OpView& op, GraphBuilder& builder);

// What the registry knows of one TFLite op.
struct OpRow {
  int builtin_code;         // kTfLiteBuiltin*
  const char* custom_name;  // for kTfLiteBuiltinCustom, else nullptr
  int max_version;          // highest version of the op that the lowering understands
  int min_inputs;
  LowerFunction lower;
};

// nullptr when the op has no row.
const OpRow* FindOp(const OpView& op);

// Finds the row and lowers; refuses ops without a row, newer versions, and missing inputs. `form` is how
// quantized tensors are treated (node_check.h decides it).
void LowerNode(const OpView& op, QuantizedForm form, GraphBuilder& builder);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OP_REGISTRY_H_
