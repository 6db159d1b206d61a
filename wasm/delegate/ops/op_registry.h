#ifndef TFLITE_WEBNN_DELEGATE_OPS_OP_REGISTRY_H_
#define TFLITE_WEBNN_DELEGATE_OPS_OP_REGISTRY_H_

#include <string>

#include "delegate/builder/graph_builder.h"
#include "delegate/model/graph_view.h"
#include "delegate/ops/op_entry.h"
#include "delegate/quantization/quantized_form.h"

namespace tflite::webnn {

// nullptr if the op has no lowering.
const OpEntry* FindOp(const OpView& op);

// Finds the row and lowers the node. Rejects ops without a row, newer versions, and missing inputs. `form` says
// how to lower quantized tensors (lowering_choice.h decides it).
void LowerNode(const OpView& op, QuantizedForm form, GraphBuilder& builder);

// JSON: every op of op_table.def and of the file format, with its row or why it has none. docs/reference/ops.md is
// generated from it, and wasm/ops.json is a copy.
std::string DescribeOps();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_OP_REGISTRY_H_
