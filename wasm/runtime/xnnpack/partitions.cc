#include "runtime/xnnpack/partitions.h"

#include <algorithm>
#include <optional>

#include "delegate/graph/data_type.h"
#include "delegate/model/op_name.h"
#include "delegate/model/partition_count.h"
#include "runtime/rewrite/mutable_node.h"
#include "runtime/xnnpack/delegate_contexts.h"
#include "runtime/xnnpack/kernel_memory.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {
namespace {

bool DecompressesConstant(Subgraph& graph, int node_index) {
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
  KernelMemory memory = {};
  // TFLite frees the temporary tensors of replaced nodes after it has prepared a subgraph.
  bool may_lack_temporaries = false;

  Shapes CurrentShapes(TfLiteContext* context) const {
    Shapes current;
    for (int tensor : tensors) current.push_back(ShapeOf(context->tensors[tensor]));
    return current;
  }
  void FreeKernel(TfLiteContext* context) {
    if (kernel != nullptr) owner.xnnpack_kernel_.free(context, std::exchange(kernel, nullptr));
  }
  void UseKernels(TfLiteContext* context, const TfLiteNode& node) {
    owner.RejectedNodes(context, *this);  // says so
    rejection = owner.take_message_();    // it is of no later error
    FreeKernel(context);
    memory.Reserve(context, nodes, node);
  }
};

XnnpackPartitions::XnnpackPartitions(TfLiteDelegate* xnnpack, const XnnpackExclusions& exclusions,
                                     std::function<std::string()> take_message, const bool& was_invoked)
    : xnnpack_(xnnpack), exclusions_(exclusions), take_message_(std::move(take_message)), was_invoked_(was_invoked) {
  delegate_.data_ = this;
  delegate_.Prepare = Apply;
  delegate_.flags = xnnpack->flags;
}

TfLiteStatus XnnpackPartitions::ChooseNodes(TfLiteContext* context) {
  Subgraph& graph = GraphOf(context);
  const int index = graph.GetSubgraphIndex();
  DelegateContext recorded(context, plans_[index], exclusions_.Excluded(graph, plans_[index]));
  TF_LITE_ENSURE_OK(context, xnnpack_->Prepare(context, xnnpack_));
  xnnpack_kernel_ = recorded.kernel;
  chosen_subgraph_ = index;
  chosen_ = recorded.nodes;
  const int64_t partition_count = CountPartitions(plans_[index], [this](int node) { return chosen_.contains(node); });
  if (partition_count * static_cast<int64_t>(plans_[index].size()) > kMaxPartitionedNodes) chosen_.clear();
  chosen_shapes_.clear();
  for (size_t i = 0; i < context->tensors_size; ++i) chosen_shapes_.push_back(ShapeOf(context->tensors[i]));
  // Only memory for unpacked constants goes with an earlier choice.
  const std::vector<int>& plan = plans_[index];
  if (std::any_of(plan.begin(), plan.end(), [&graph](int node) { return DecompressesConstant(graph, node); })) {
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
    partition->has_variables |= HasTrait(registration.builtin_code, OpTrait::kVariable);
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

std::vector<XnnpackExclusions::Node> XnnpackPartitions::NodesOnKernels() const {
  std::vector<XnnpackExclusions::Node> nodes;
  for (const Partition* partition : partitions_) {
    if (!partition->rejection) continue;
    for (int node : partition->nodes) nodes.push_back({partition->subgraph, node, *partition->rejection});
  }
  return nodes;
}

TfLiteStatus XnnpackPartitions::PrepareNodes(TfLiteContext* context, const Partition& partition) {
  ReservedTensors reserved(context, reserve_next_[partition.subgraph], reserve_end_[partition.subgraph]);
  for (int node_index : partition.nodes) {
    auto& [node, registration] = MutableNode(GraphOf(context), node_index);
    if (registration.prepare == nullptr || HasTrait(registration.builtin_code, OpTrait::kVariable)) continue;
    if (ComputesFloat16(GraphOf(context), node)) continue;
    TF_LITE_ENSURE_OK(context, reserved.Fill());
    if (registration.prepare(context, &node) == kTfLiteOk) continue;
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

bool XnnpackPartitions::Build(TfLiteContext* context, Partition& partition) {
  partition.FreeKernel(context);
  const bool is_chosen = chosen_subgraph_ == partition.subgraph &&
                         std::all_of(partition.tensors.begin(), partition.tensors.end(), [&](int tensor) {
                           return chosen_shapes_[tensor] == ShapeOf(context->tensors[tensor]);
                         });
  if (!is_chosen && ChooseNodes(context) != kTfLiteOk) return false;
  const auto is_accepted = [&](int node_index) { return Accepts(context, node_index); };
  if (!std::all_of(partition.nodes.begin(), partition.nodes.end(), is_accepted)) return false;
  CreateKernel(context, partition);
  TfLiteNode node = {};
  node.user_data = partition.kernel;
  if (partition.kernel == nullptr || xnnpack_kernel_.prepare(context, &node) != kTfLiteOk) return false;
  // Other shapes than those that TFLite's kernels have computed.
  return partition.computes_float16 || partition.CurrentShapes(context) == partition.shapes;
}

bool XnnpackPartitions::Accepts(TfLiteContext* context, int node_index) const {
  const std::vector<int> outputs = ListOf(*GraphOf(context).node_and_registration(node_index)->first.outputs);
  return chosen_.contains(node_index) && std::none_of(outputs.begin(), outputs.end(), [context](int tensor) {
           return context->tensors[tensor].allocation_type == kTfLiteDynamic;
         });
}

bool XnnpackPartitions::CanBuildAlone(TfLiteContext* context, const Partition& partition, int node_index) {
  const auto& [replaced, registration] = *GraphOf(context).node_and_registration(node_index);
  if (HasTrait(registration.builtin_code, OpTrait::kVariable)) return true;
  const IntArrayUniquePtr nodes = BuildTfLiteArray({node_index});
  std::vector<int> inputs = ListOf(*replaced.inputs);
  std::erase(inputs, kTfLiteOptionalTensor);
  const IntArrayUniquePtr input_tensors = BuildTfLiteArray(inputs);
  TfLiteDelegateParams params = {partition.params.delegate, nodes.get(), input_tensors.get(), replaced.outputs};
  DelegateContext readable(context, plans_[partition.subgraph]);
  TfLiteNode node = {};
  node.user_data = xnnpack_kernel_.init(context, reinterpret_cast<const char*>(&params), sizeof(params));
  if (node.user_data == nullptr) return false;
  const TfLiteStatus status = xnnpack_kernel_.prepare(context, &node);
  xnnpack_kernel_.free(context, node.user_data);
  return status == kTfLiteOk;
}

std::vector<int> XnnpackPartitions::RejectedNodes(TfLiteContext* context, const Partition& partition) const {
  std::vector<int> found;
  for (int node_index : partition.nodes) {
    if (Accepts(context, node_index)) continue;
    const auto& [node, registration] = *GraphOf(context).node_and_registration(node_index);
    TF_LITE_KERNEL_LOG(context, "XNNPack rejects %s (node %d) with inputs of the shapes %s", OpName(registration),
                       node_index, ShapesText(context, node).c_str());
    found.push_back(node_index);
  }
  return found;
}

void XnnpackPartitions::FindRejected(TfLiteContext* context, const Partition& partition) {
  std::vector<int> nodes = RejectedNodes(context, partition);
  if (nodes.empty()) {
    nodes = partition.nodes;
    std::erase_if(nodes, [&](int node) { return CanBuildAlone(context, partition, node); });
  }
  rejection_ = Rejection{partition.subgraph, nodes.empty() ? partition.nodes : nodes};
}

TfLiteStatus XnnpackPartitions::CheckExclusions(TfLiteContext* context, const Partition& partition) {
  const std::set<int> excluded = exclusions_.Excluded(GraphOf(context), plans_[partition.subgraph]);
  std::vector<int> nodes = partition.nodes;
  std::erase_if(nodes, [&excluded](int node) { return !excluded.contains(node); });
  if (nodes.empty()) return kTfLiteOk;
  TF_LITE_KERNEL_LOG(context, "XNNPACK cannot compute node number %d in these shapes", nodes.front());
  rejection_ = Rejection{partition.subgraph, nodes};
  return kTfLiteError;
}

TfLiteStatus XnnpackPartitions::Prepare(TfLiteContext* context, TfLiteNode* node) {
  auto& partition = *static_cast<Partition*>(node->user_data);
  auto& self = partition.owner;
  TF_LITE_ENSURE_OK(context, self.PrepareNodes(context, partition));
  // XNNPACK's variables would go with another choice: their partition is reshaped as it is.
  const bool has_shapes = partition.has_variables || partition.CurrentShapes(context) == partition.shapes;
  if (!self.IsStale(partition) && has_shapes) {
    if (partition.has_variables) TF_LITE_ENSURE_OK(context, self.CheckExclusions(context, partition));
    TfLiteNode inner = *node;
    inner.user_data = partition.kernel;
    return self.xnnpack_kernel_.prepare(context, &inner);
  }
  partition.rejection.reset();
  partition.memory.FreeTemporaries(context);
  if (self.Build(context, partition)) return kTfLiteOk;
  if (!self.was_invoked_ || partition.has_variables) {
    self.FindRejected(context, partition);
    return kTfLiteError;
  }
  TF_LITE_ENSURE_OK(context, self.PrepareNodes(context, partition));
  partition.UseKernels(context, *node);
  partition.may_lack_temporaries = true;
  return kTfLiteOk;
}

TfLiteStatus XnnpackPartitions::Invoke(TfLiteContext* context, TfLiteNode* node) {
  auto& partition = *static_cast<Partition*>(node->user_data);
  auto& self = partition.owner;
  if (!partition.rejection && (!self.IsStale(partition) || self.Build(context, partition))) {
    TfLiteNode inner = *node;
    inner.user_data = partition.kernel;
    if (self.xnnpack_kernel_.invoke(context, &inner) == kTfLiteOk) return kTfLiteOk;
  }
  if (!partition.rejection) {
    if (partition.has_variables) {
      self.RejectedNodes(context, partition);  // says why
      return kTfLiteError;
    }
    TF_LITE_ENSURE_OK(context, self.PrepareNodes(context, partition));
    partition.UseKernels(context, *node);
  } else if (std::exchange(partition.may_lack_temporaries, false)) {
    TF_LITE_ENSURE_OK(context, self.PrepareNodes(context, partition));
  }
  return partition.memory.Invoke(context, partition.nodes);
}

}  // namespace tflite::webnn
