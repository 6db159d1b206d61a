#include "delegate/webnn_delegate_kernel.h"

#include <algorithm>
#include <set>

#include "delegate/builder/graph_builder.h"
#include "delegate/builder/transpose_pairs.h"
#include "delegate/ops/op_registry.h"
#include "tensorflow/lite/context_util.h"

namespace tflite::webnn {

namespace {

std::vector<TfLiteWebnnBuffer> BuffersOf(const std::vector<WebnnGraph::BoundaryOperand>& operands,
                                         TfLiteContext* context) {
  std::vector<TfLiteWebnnBuffer> buffers;
  buffers.reserve(operands.size());
  for (const WebnnGraph::BoundaryOperand& operand : operands) {
    const TfLiteTensor& tensor = context->tensors[operand.tensor_index];
    buffers.push_back({tensor.data.raw, tensor.bytes});
  }
  return buffers;
}

bool IsWithin(const std::vector<int>& nodes, const std::set<int>& partition) {
  return std::all_of(nodes.begin(), nodes.end(), [&partition](int node) { return partition.count(node) > 0; });
}

}  // namespace

WebnnDelegateKernel::~WebnnDelegateKernel() {
  if (host_graph_ != 0) host_->release(host_->userData, host_graph_);
}

TfLiteStatus WebnnDelegateKernel::Init(TfLiteContext* context, const TfLiteDelegateParams* params) {
  TF_LITE_ENSURE_STATUS(LowerNodes(context, params));
  return host_ == nullptr || graph_.outputs.empty() ? kTfLiteOk : BuildOnHost(context);
}

TfLiteStatus WebnnDelegateKernel::LowerNodes(TfLiteContext* context, const TfLiteDelegateParams* params) {
  const TfLiteIntArrayView nodes(params->nodes_to_replace);
  nodes_.assign(nodes.begin(), nodes.end());
  graph_.makes_constants_later = host_ == nullptr;
  GraphBuilder builder(limits_, view_.get(), &graph_);
  const std::set<int> partition(nodes_.begin(), nodes_.end());
  for (int node_index : nodes_) {
    const OpView op = view_->op(node_index);
    LowerOne(op, partition, builder);
    if (builder.rejected()) {
      TF_LITE_KERNEL_LOG(context, "WebNN: %s was checked as supported but not lowered: %s", op.label().c_str(),
                         builder.rejection().c_str());
      return kTfLiteError;
    }
  }
  for (int index : TfLiteIntArrayView(params->output_tensors)) {
    const TensorView tensor = view_->tensor(index);
    // Constants are not outputs: TFLite holds those that it folded, and every reader of an unpacked
    // constant is delegated (WebnnDelegate::RejectOrphanedConstants).
    if (!tensor.IsConstant()) builder.AddOutput(tensor);
  }
  builder.AddStateOutputs();
  if (builder.rejected()) {
    TF_LITE_KERNEL_LOG(context, "WebNN: cannot bind an output of the partition: %s", builder.rejection().c_str());
    return kTfLiteError;
  }
  graph_.RemoveUnreachable();
  const Workarounds& workarounds = limits_->workarounds();
  if (workarounds.Has(Workaround::kTransposePairs) && KeepTransposePairs(&graph_)) {
    graph_.workarounds.Add(Workaround::kTransposePairs);
  }
  if (workarounds.Has(Workaround::kLargeConstants)) graph_.LimitConstants(kMaxConstantBytes);
  return kTfLiteOk;
}

// A node, or the pattern that it ends; nothing for the pattern's other nodes.
void WebnnDelegateKernel::LowerOne(const OpView& op, const std::set<int>& partition, GraphBuilder& builder) const {
  const auto pattern = patterns_->find(op.node_index());
  if (pattern != patterns_->end() && IsWithin(pattern->second.nodes, partition)) {
    if (op.node_index() == pattern->second.nodes.back()) LowerPattern(pattern->second, *view_, builder);
    return;
  }
  const auto lowering = lowerings_->find(op.node_index());
  LowerNode(op, lowering == lowerings_->end() ? QuantizedForm::kNone : lowering->second.form, builder);
}

TfLiteStatus WebnnDelegateKernel::BuildOnHost(TfLiteContext* context) {
  JsonWriter json;
  graph_.WriteJson(json);
  host_graph_ = host_->build(host_->userData, json.Take().c_str());
  if (host_graph_ != 0) return kTfLiteOk;
  TF_LITE_KERNEL_LOG(context, "WebNN could not build a partition");
  return kTfLiteError;
}

TfLiteStatus WebnnDelegateKernel::Eval(TfLiteContext* context, TfLiteNode*) {
  if (graph_.outputs.empty()) return kTfLiteOk;  // all of it was folded
  if (host_graph_ == 0) {
    TF_LITE_KERNEL_LOG(context, "a WebNN partition cannot be invoked synchronously: step through the plan");
    return kTfLiteError;
  }
  const std::vector<TfLiteWebnnBuffer> inputs = BuffersOf(graph_.inputs, context);
  const std::vector<TfLiteWebnnBuffer> outputs = BuffersOf(graph_.outputs, context);
  if (host_->dispatch(host_->userData, host_graph_, inputs.data(), outputs.data()) == 0) return kTfLiteOk;
  TF_LITE_KERNEL_LOG(context, "WebNN could not compute a partition");
  return kTfLiteError;
}

}  // namespace tflite::webnn
