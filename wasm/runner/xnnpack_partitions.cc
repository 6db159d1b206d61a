#include "runner/xnnpack_partitions.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "delegate/data_type.h"
#include "runner/delegate_contexts.h"
#include "runner/partition_report.h"
#include "runner/resources.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

bool UnpacksConstant(Subgraph& graph, int node_index) {
  const auto& [node, registration] = *graph.node_and_registration(node_index);
  return (registration.builtin_code == kTfLiteBuiltinDequantize ||
          registration.builtin_code == kTfLiteBuiltinDensify) &&
         IsConstantTensor(graph.tensor(node.inputs->data[0]));
}

// Only XNNPACK computes in float16: TFLite's kernels reject the type.
bool ComputesFloat16(Subgraph& graph, const TfLiteNode& node) {
  return std::any_of(node.inputs->data, node.inputs->data + node.inputs->size, [&graph](int tensor) {
    return tensor >= 0 && graph.tensor(tensor)->type == kTfLiteFloat16 && !IsConstantTensor(graph.tensor(tensor));
  });
}

std::string ShapesText(TfLiteContext* context, const TfLiteNode& node) {
  std::string text;
  for (int tensor : ListOf(*node.inputs)) {
    if (tensor >= 0) text += (text.empty() ? "" : ", ") + ShapeText(ShapeOf(context->tensors[tensor]));
  }
  return text;
}

}  // namespace

struct XnnpackPartitions::Partition {
  struct Memory {
    size_t size;
    std::unique_ptr<char[]> bytes;
  };

  XnnpackPartitions& owner;
  TfLiteDelegateParams params;
  int subgraph;
  std::vector<int> nodes;
  std::vector<int> tensors;
  bool has_variables = false;
  bool computes_float16 = false;
  void* kernel = nullptr;
  Shapes shapes = {};                         // that the kernel was built for
  int choice = 0;                             // that it was built after
  std::optional<std::string> rejection = {};  // why TFLite's kernels run the nodes, if they do
  // What TFLite's kernels need to run the nodes: memory of the tensors that no one else reads. They fill persistent
  // ones, which have unpacked constants, only once.
  std::map<int, Memory> memory = {};

  Shapes CurrentShapes(TfLiteContext* context) const {
    Shapes current;
    for (int tensor : tensors) current.push_back(ShapeOf(context->tensors[tensor]));
    return current;
  }
  void FreeKernel(TfLiteContext* context) {
    if (kernel != nullptr) owner.xnnpack_kernel_.free(context, std::exchange(kernel, nullptr));
  }
  void UseKernels(TfLiteContext* context, const TfLiteNode& node, const std::string& reason);
  TfLiteStatus InvokeKernels(TfLiteContext* context);
};

// TFLite's arena has no memory for what lies between the nodes of a partition.
void XnnpackPartitions::Partition::UseKernels(TfLiteContext* context, const TfLiteNode& node,
                                              const std::string& reason) {
  const std::string message = owner.take_message_();  // it is of no later error
  rejection = reason.empty() ? message : reason;
  FreeKernel(context);
  const std::vector<int> inputs = ListOf(*node.inputs), outputs = ListOf(*node.outputs);
  std::set<int> inner;
  for (int node_index : nodes) {
    const TfLiteNode& each = GraphOf(context).node_and_registration(node_index)->first;
    for (const TfLiteIntArray* list : {each.outputs, each.temporaries}) {
      if (list != nullptr) inner.insert(list->data, list->data + list->size);
    }
  }
  for (int tensor : inputs) inner.erase(tensor);
  for (int tensor : outputs) inner.erase(tensor);
  for (int tensor : inner) {
    const TfLiteTensor& each = context->tensors[tensor];
    if (each.allocation_type != kTfLiteArenaRw && each.allocation_type != kTfLiteArenaRwPersistent) continue;
    const auto found = memory.find(tensor);
    if (found != memory.end() && found->second.size == each.bytes) continue;
    memory[tensor] = {each.bytes, std::make_unique<char[]>(each.bytes + 16)};
  }
}

TfLiteStatus XnnpackPartitions::Partition::InvokeKernels(TfLiteContext* context) {
  for (const auto& [index, own] : memory) {
    TfLiteTensor& tensor = context->tensors[index];
    tensor.bytes = own.size;  // TFLite clears temporary tensors of delegated nodes
    tensor.data.raw = own.bytes.get();
  }
  for (int node_index : nodes) {
    const auto& [node, registration] = *GraphOf(context).node_and_registration(node_index);
    const std::vector<int> outputs = ListOf(*node.outputs);
    const bool is_empty = !outputs.empty() && std::all_of(outputs.begin(), outputs.end(), [context](int tensor) {
      return context->tensors[tensor].bytes == 0 && context->tensors[tensor].allocation_type != kTfLiteDynamic;
    });
    if (!is_empty) TF_LITE_ENSURE_OK(context, registration.invoke(context, const_cast<TfLiteNode*>(&node)));
  }
  return kTfLiteOk;
}

XnnpackPartitions::XnnpackPartitions(TfLiteDelegate* xnnpack, NodeFilter excluded,
                                     std::function<std::string()> take_message, const bool& was_invoked)
    : xnnpack_(xnnpack),
      excluded_(std::move(excluded)),
      take_message_(std::move(take_message)),
      was_invoked_(was_invoked) {
  delegate_.data_ = this;
  delegate_.Prepare = Apply;
  delegate_.flags = xnnpack->flags;
}

TfLiteStatus XnnpackPartitions::ChooseNodes(TfLiteContext* context) {
  Subgraph& graph = GraphOf(context);
  const int index = graph.GetSubgraphIndex();
  HiddenNodes hidden(graph);
  for (int node : excluded_(graph, plans_[index])) hidden.Hide(node);
  DelegateContext recorded(context, plans_[index]);
  TF_LITE_ENSURE_OK(context, xnnpack_->Prepare(context, xnnpack_));
  xnnpack_kernel_ = recorded.kernel;
  chosen_subgraph_ = index;
  chosen_ = recorded.nodes;
  chosen_shapes_.clear();
  for (size_t i = 0; i < context->tensors_size; ++i) chosen_shapes_.push_back(ShapeOf(context->tensors[i]));
  // Only memory for unpacked constants goes with an earlier choice.
  const std::vector<int>& plan = plans_[index];
  if (std::any_of(plan.begin(), plan.end(), [&graph](int node) { return UnpacksConstant(graph, node); })) {
    ++choices_[index];
  }
  return kTfLiteOk;
}

TfLiteStatus XnnpackPartitions::Apply(TfLiteContext* context, TfLiteDelegate* delegate) {
  auto& self = *static_cast<XnnpackPartitions*>(delegate->data_);
  self.plans_[GraphOf(context).GetSubgraphIndex()] = GraphOf(context).execution_plan();
  TF_LITE_ENSURE_OK(context, self.ChooseNodes(context));
  TfLiteRegistration kernel = {};
  kernel.init = Init;
  kernel.free = Free;
  kernel.prepare = Prepare;
  kernel.invoke = Invoke;
  kernel.custom_name = self.xnnpack_kernel_.custom_name;
  kernel.version = self.xnnpack_kernel_.version;
  const IntArrayUniquePtr nodes = BuildTfLiteArray(std::vector<int>(self.chosen_.begin(), self.chosen_.end()));
  return context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes.get(), delegate);
}

void* XnnpackPartitions::Init(TfLiteContext* context, const char* buffer, size_t) {
  const auto& params = *reinterpret_cast<const TfLiteDelegateParams*>(buffer);
  auto& owner = *static_cast<XnnpackPartitions*>(params.delegate->data_);
  auto* partition =
      new Partition{owner, params, GraphOf(context).GetSubgraphIndex(), ListOf(*params.nodes_to_replace), {}};
  partition->params.delegate = owner.xnnpack_;
  std::set<int> tensors;
  for (int node_index : partition->nodes) {
    const auto& [node, registration] = *GraphOf(context).node_and_registration(node_index);
    partition->has_variables |= IsVariableAccess(registration.builtin_code);
    partition->computes_float16 |= ComputesFloat16(GraphOf(context), node);
    for (const TfLiteIntArray* list : {node.inputs, node.outputs}) tensors.insert(list->data, list->data + list->size);
  }
  tensors.erase(kTfLiteOptionalTensor);
  partition->tensors = {tensors.begin(), tensors.end()};
  // What XNNPACK knows about variables goes with its next choice.
  if (partition->has_variables) owner.CreateKernel(context, *partition);
  owner.partitions_.push_back(partition);
  return partition;
}

void XnnpackPartitions::Free(TfLiteContext* context, void* data) {
  const std::unique_ptr<Partition> partition(static_cast<Partition*>(data));
  std::erase(partition->owner.partitions_, partition.get());
  partition->FreeKernel(context);
}

std::vector<XnnpackDenials::DeniedNode> XnnpackPartitions::NodesOnKernels() const {
  std::vector<XnnpackDenials::DeniedNode> nodes;
  for (const Partition* partition : partitions_) {
    if (!partition->rejection) continue;
    for (int node : partition->nodes) nodes.push_back({partition->subgraph, node, *partition->rejection});
  }
  return nodes;
}

TfLiteStatus XnnpackPartitions::PrepareNodes(TfLiteContext* context, const Partition& partition) {
  ReservedTensors reserved(context, reserves_[partition.subgraph]);
  for (int node_index : partition.nodes) {
    const auto& [node, registration] = *GraphOf(context).node_and_registration(node_index);
    if (registration.prepare == nullptr || IsVariableAccess(registration.builtin_code)) continue;
    if (ComputesFloat16(GraphOf(context), node)) continue;
    TF_LITE_ENSURE_OK(context, reserved.Fill());
    if (registration.prepare(context, const_cast<TfLiteNode*>(&node)) == kTfLiteOk) continue;
    has_kernel_error_ = true;
    TF_LITE_KERNEL_LOG(context, "Node number %d (%s) cannot take inputs of the shapes %s", node_index,
                       OpName(registration), ShapesText(context, node).c_str());
    return kTfLiteError;
  }
  return kTfLiteOk;
}

bool XnnpackPartitions::IsStale(const Partition& partition) const {
  return partition.kernel == nullptr || partition.choice != choices_.at(partition.subgraph);
}

void XnnpackPartitions::CreateKernel(TfLiteContext* context, Partition& partition) {
  DelegateContext readable(context, plans_[partition.subgraph]);
  const auto* params = reinterpret_cast<const char*>(&partition.params);
  partition.kernel = xnnpack_kernel_.init(context, params, sizeof(partition.params));
  partition.shapes = partition.CurrentShapes(context);
  partition.choice = choices_[partition.subgraph];
}

bool XnnpackPartitions::Build(TfLiteContext* context, Partition& partition, std::string& reason) {
  partition.FreeKernel(context);
  const bool is_chosen = chosen_subgraph_ == partition.subgraph &&
                         std::all_of(partition.tensors.begin(), partition.tensors.end(), [&](int tensor) {
                           return chosen_shapes_[tensor] == ShapeOf(context->tensors[tensor]);
                         });
  if (!is_chosen && ChooseNodes(context) != kTfLiteOk) return false;
  for (int node_index : partition.nodes) {
    const auto& [node, registration] = *GraphOf(context).node_and_registration(node_index);
    const std::vector<int> outputs = ListOf(*node.outputs);
    const bool is_dynamic = std::any_of(outputs.begin(), outputs.end(), [context](int tensor) {
      return context->tensors[tensor].allocation_type == kTfLiteDynamic;
    });
    if (chosen_.count(node_index) > 0 && !is_dynamic) continue;
    reason += (reason.empty() ? "XNNPack failed to delegate " : ", ") + std::string(OpName(registration)) + " node #" +
              std::to_string(node_index) + " with inputs of the shapes " + ShapesText(context, node);
  }
  if (!reason.empty()) return false;
  CreateKernel(context, partition);
  TfLiteNode node = {};
  node.user_data = partition.kernel;
  if (partition.kernel == nullptr || xnnpack_kernel_.prepare(context, &node) != kTfLiteOk) return false;
  if (partition.computes_float16 || partition.CurrentShapes(context) == partition.shapes) return true;
  for (int node_index : partition.nodes) {
    reason += (reason.empty() ? "XNNPack computes other shapes: failed to delegate node #" : ", node #") +
              std::to_string(node_index);
  }
  return false;
}

TfLiteStatus XnnpackPartitions::Prepare(TfLiteContext* context, TfLiteNode* node) {
  auto& partition = *static_cast<Partition*>(node->user_data);
  auto& self = partition.owner;
  TF_LITE_ENSURE_OK(context, self.PrepareNodes(context, partition));
  // XNNPACK's variables would go with another choice: their partition is reshaped as it is.
  const bool has_shapes = partition.has_variables || partition.CurrentShapes(context) == partition.shapes;
  const bool is_built = !self.IsStale(partition) && has_shapes;
  if (is_built) {
    TfLiteNode inner = *node;
    inner.user_data = partition.kernel;
    return self.xnnpack_kernel_.prepare(context, &inner);
  }
  partition.rejection.reset();
  std::erase_if(partition.memory, [context](const auto& entry) {
    return context->tensors[entry.first].allocation_type != kTfLiteArenaRwPersistent;
  });
  std::string reason;
  if (self.Build(context, partition, reason)) return kTfLiteOk;
  if (!self.was_invoked_ || partition.has_variables) {
    if (!reason.empty()) TF_LITE_KERNEL_LOG(context, "%s", reason.c_str());
    return kTfLiteError;
  }
  TF_LITE_ENSURE_OK(context, self.PrepareNodes(context, partition));
  partition.UseKernels(context, *node, reason);
  return kTfLiteOk;
}

TfLiteStatus XnnpackPartitions::Invoke(TfLiteContext* context, TfLiteNode* node) {
  auto& partition = *static_cast<Partition*>(node->user_data);
  auto& self = partition.owner;
  std::string reason;
  if (!partition.rejection && (!self.IsStale(partition) || self.Build(context, partition, reason))) {
    TfLiteNode inner = *node;
    inner.user_data = partition.kernel;
    if (self.xnnpack_kernel_.invoke(context, &inner) == kTfLiteOk) return kTfLiteOk;
  }
  if (!partition.rejection) {
    TF_LITE_ENSURE(context, !partition.has_variables);
    TF_LITE_ENSURE_OK(context, self.PrepareNodes(context, partition));
    partition.UseKernels(context, *node, reason);
  }
  return partition.InvokeKernels(context);
}

}  // namespace tflite::webnn
