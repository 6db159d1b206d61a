#include "delegate/webnn_delegate_kernel.h"

#include "delegate/graph_builder.h"
#include "delegate/op_registry.h"

namespace tflite::webnn {

TfLiteStatus WebnnDelegateKernel::Init(TfLiteContext* context, const TfLiteDelegateParams* params) {
  const TfLiteIntArray* nodes = params->nodes_to_replace;
  nodes_.assign(nodes->data, nodes->data + nodes->size);
  GraphBuilder builder(limits_, view_, &graph_);
  for (int node_index : nodes_) {
    const OpView op = view_->op(node_index);
    const auto lowering = lowerings_->find(node_index);
    LowerNode(op, lowering == lowerings_->end() ? QuantizedForm::kNone : lowering->second.form, builder);
    if (builder.refused()) {
      TF_LITE_KERNEL_LOG(context, "WebNN: %s was checked as supported but not lowered: %s", op.label().c_str(),
                         builder.refusal().c_str());
      return kTfLiteError;
    }
  }
  for (int i = 0; i < params->output_tensors->size; ++i) {
    const TensorView tensor = view_->tensor(params->output_tensors->data[i]);
    // Constants are no results: TFLite holds what it has folded itself, and every reader of an unpacked
    // constant is delegated and has it (WebnnDelegate::RefuseStrandedConstants).
    if (!tensor.IsConstant()) builder.AddOutput(tensor);
  }
  builder.AddStateOutputs();
  if (builder.refused()) {
    TF_LITE_KERNEL_LOG(context, "WebNN: an output of the partition cannot be given: %s", builder.refusal().c_str());
    return kTfLiteError;
  }
  graph_.RemoveUnreachable();
  return kTfLiteOk;
}

TfLiteStatus WebnnDelegateKernel::Eval(TfLiteContext* context, TfLiteNode*) {
  if (graph_.outputs.empty()) return kTfLiteOk;  // all of it was folded
  TF_LITE_KERNEL_LOG(context, "a WebNN partition cannot be invoked synchronously: step through the plan");
  return kTfLiteError;
}

}  // namespace tflite::webnn
