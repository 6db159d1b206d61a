#include "delegate/webnn_delegate.h"

#include <algorithm>

#include "delegate/builder/graph_builder.h"
#include "delegate/cost/partition_cost.h"
#include "delegate/lowering_choice.h"
#include "delegate/model/partition_count.h"
#include "delegate/model/unknown_shapes.h"
#include "delegate/ops/op_registry.h"
#include "delegate/webnn_context.h"
#include "delegate/webnn_delegate_impl.h"
#include "delegate/webnn_delegate_kernel.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tflite::webnn {

TfLiteStatus WebnnDelegate::Initialize(TfLiteContext* context) {
  if (static_cast<const Subgraph*>(context->impl_)->GetSubgraphIndex() != subgraph_index_) return kTfLiteOk;
  // TFLite calls this again when inputs are resized, and for each further interpreter.
  rejections_.clear();
  supported_.clear();
  lowerings_.clear();
  patterns_.clear();
  workarounds_ = Workarounds();
  node_indices_.clear();
  cost_ = ModelCost();
  is_faster_on_cpu_ = false;
  StatusOr<OpSupportLimits> limits = OpSupportLimits::Parse(*options_.op_support_limits);
  status_ = std::move(limits.status);
  if (!status_.ok()) return kTfLiteError;
  limits_ = std::move(*limits);
  limits_->WorkAround(*options_.workarounds);
  view_ = std::make_shared<const GraphView>(context);
  unknown_shapes_ = TensorsOfUnknownShape(*static_cast<const Subgraph*>(context->impl_));
  CheckNodes(context);
  return is_faster_on_cpu_ ? kTfLiteError : kTfLiteOk;
}

void WebnnDelegate::CheckNodes(TfLiteContext* context) {
  GraphBuilder checker(&*limits_, view_.get(), /*graph=*/nullptr);
  CheckPatterns(checker);
  for (int node_index : view_->nodes()) {
    const OpView op = view_->op(node_index);
    node_indices_[&op.node()] = node_index;
    if (!patterns_.count(node_index)) CheckNode(op, checker);
  }
  RejectOrphanedConstants();
  RejectManyPartitions();
  if (*options_.ignore_partition_cost || !options_.allowed_ops->empty()) return;
  if (IsEntireModel()) {
    if (*options_.estimate_model_cost) EstimateModelCost();
    return;
  }
  RejectCostlyPartitions(context);
  RejectOrphanedConstants();
}

// Keeps the patterns that WebNN can run as one.
void WebnnDelegate::CheckPatterns(GraphBuilder& checker) {
  for (auto& [node_index, match] : FindPatterns(*view_)) {
    if (node_index != match.nodes.back()) continue;
    const bool is_allowed = std::all_of(match.nodes.begin(), match.nodes.end(),
                                        [this](int member) { return CheckBeforeLowering(view_->op(member)).ok(); });
    if (!is_allowed) continue;
    LowerPattern(match, *view_, checker);
    if (checker.rejected()) continue;
    for (int member : match.nodes) {
      patterns_[member] = match;
      if (member != node_index) cost_.AddToCpu(view_->op(member));
    }
    cost_.Add(view_->op(node_index), checker);
  }
}

void WebnnDelegate::CheckNode(const OpView& op, GraphBuilder& checker) {
  Status status = CheckBeforeLowering(op);
  if (status.ok()) {
    LoweringChoice choice = ChooseLowering(op, checker);
    status = std::move(choice.status);
    if (!status.ok() && status.message() == checker.rejection()) workarounds_.Add(checker.used_workarounds());
    if (choice.lowering.form != QuantizedForm::kNone) lowerings_[op.node_index()] = std::move(choice.lowering);
  }
  if (status.ok()) {
    cost_.Add(op, checker);
  } else {
    rejections_[op.node_index()] = status.message();
  }
}

void WebnnDelegate::EstimateModelCost() {
  cost_.AddRun(*view_);
  is_faster_on_cpu_ = cost_.IsFasterOnCpu();
  if (is_faster_on_cpu_) status_ = Unsupported(cost_.Text());
}

// Whether only nodes that TFLite has already computed would stay on the CPU.
bool WebnnDelegate::IsEntireModel() const {
  for (const auto& [node_index, rejection] : rejections_) {
    if (!view_->op(node_index).IsFolded()) return false;
  }
  return true;
}

void WebnnDelegate::LeaveOut(int node_index, std::string reason) {
  rejections_[node_index] = std::move(reason);
  supported_.insert(node_index);
}

void WebnnDelegate::RejectManyPartitions() {
  const std::vector<int>& nodes = view_->nodes();
  const int64_t partition_count = CountPartitions(nodes, [this](int node) { return !rejections_.count(node); });
  const int64_t node_count = static_cast<int64_t>(nodes.size());
  if (partition_count * node_count <= kMaxPartitionedNodes) return;
  const std::string reason = "WebNN would get " + std::to_string(partition_count) + " partitions of " +
                             std::to_string(node_count) + " nodes; at most " +
                             std::to_string(kMaxPartitionedNodes / node_count) + " can be";
  for (int node_index : nodes) {
    if (!rejections_.count(node_index)) LeaveOut(node_index, reason);
  }
}

void WebnnDelegate::RejectCostlyPartitions(TfLiteContext* context) {
  std::unique_ptr<TfLiteIntArray, void (*)(TfLiteIntArray*)> supported(TfLiteIntArrayCreate(view_->nodes().size()),
                                                                       TfLiteIntArrayFree);
  supported->size = 0;
  for (int node_index : view_->nodes()) {
    if (!rejections_.count(node_index)) supported->data[supported->size++] = node_index;
  }
  TfLiteDelegateParams* partitions = nullptr;
  int partition_count = 0;
  if (context->PreviewDelegatePartitioning(context, supported.get(), &partitions, &partition_count) != kTfLiteOk)
    return;
  for (int i = 0; i < partition_count; ++i) {
    const PartitionCost cost = EstimateCost(*view_, partitions[i]);
    if (cost.IsWorthIt()) continue;
    for (int node : TfLiteIntArrayView(partitions[i].nodes_to_replace)) LeaveOut(node, CostText(cost));
  }
}

Status WebnnDelegate::CheckBeforeLowering(const OpView& op) const {
  if (op.is_javascript()) return Unsupported("a function of the option customOps computes ", op.name());
  RETURN_IF_ERROR(CheckOptions(op));
  return CheckShapes(op);
}

Status WebnnDelegate::CheckShapes(const OpView& op) const {
  // Strings, too, get their memory while the model runs; a lowering rejects their type.
  const auto is_unknown = [this](const TensorView& tensor) {
    return unknown_shapes_.count(tensor.index()) > 0 && tensor.type() != kTfLiteString;
  };
  for (int i = 0; i < op.input_count(); ++i) {
    if (!op.HasInput(i) || !is_unknown(op.input(i))) continue;
    return Unsupported("the shape of ", op.input(i).text(), ", which it reads, is known only while the model runs");
  }
  if (FindOp(op) == nullptr) return {};  // its own reason says more
  for (int i = 0; i < op.output_count(); ++i) {
    if (!is_unknown(op.output(i))) continue;
    return Unsupported("the shape of ", op.output(i).text(), " is known only while the model runs");
  }
  return {};
}

Status WebnnDelegate::CheckOptions(const OpView& op) const {
  const OpNames& allowed_ops = *options_.allowed_ops;
  if (options_.excluded_nodes->count(op.node_index())) return Unsupported("the node is in excludedNodes");
  if (options_.excluded_ops->count(op.name())) return Unsupported("the op is in excludedOps");
  if (!allowed_ops.empty() && !allowed_ops.count(op.name())) return Unsupported("the op is not in allowedOps");
  return {};
}

// A delegated DEQUANTIZE or DENSIFY of a constant computes nothing: its readers get the unpacked constant. So it stays
// on the CPU if a reader stays there, if limits on the partitions may leave one there, or if the caller reads it.
void WebnnDelegate::RejectOrphanedConstants() {
  const std::vector<int>& output_list = static_cast<const Subgraph*>(view_->context()->impl_)->outputs();
  const std::set<int> outputs(output_list.begin(), output_list.end());
  const bool has_partition_limits = *options_.max_partitions > 0 || *options_.min_nodes_per_partition > 1;
  for (int node_index : view_->nodes()) {
    const OpView op = view_->op(node_index);
    if (op.output_count() != 1 || view_->DecompressedFrom(op.output(0).index()) < 0 || rejections_.count(node_index))
      continue;
    if (has_partition_limits) LeaveOut(node_index, "limits on the partitions may leave a reader on the CPU");
    if (outputs.count(op.output(0).index())) LeaveOut(node_index, "the unpacked constant is an output of the model");
    for (int consumer : view_->Consumers(op.output(0).index())) {
      if (!rejections_.count(consumer)) continue;
      LeaveOut(node_index,
               "node " + std::to_string(consumer) + ", which reads the unpacked constant, stays on the CPU");
      break;
    }
  }
}

bool WebnnDelegate::IsNodeSupportedByDelegate(const TfLiteRegistration*, const TfLiteNode* node, TfLiteContext*) const {
  const auto found = node_indices_.find(node);
  return found != node_indices_.end() && !rejections_.count(found->second);
}

std::unique_ptr<SimpleDelegateKernelInterface> WebnnDelegate::CreateDelegateKernelInterface() {
  return std::make_unique<WebnnDelegateKernel>(&*limits_, view_, &lowerings_, &patterns_, host_ ? &*host_ : nullptr);
}

SimpleDelegateInterface::Options WebnnDelegate::DelegateOptions() const {
  Options options;
  options.max_delegated_partitions = *options_.max_partitions;
  options.min_nodes_per_partition = *options_.min_nodes_per_partition;
  return options;
}

namespace {

// Sets a delegate's options and host.
Status Configure(const TfLiteWebnnDelegateOptions& provided, WebnnDelegate& delegate) {
  DelegateOptions& options = delegate.options();
  const auto set = [&](const char* name, std::string_view text) {
    return options.Set(name, text).WithPrefix("option '", name, "': ");
  };
  RETURN_IF_ERROR(set("device_preference", std::to_string(provided.devicePreference)));
  RETURN_IF_ERROR(set("power_preference", std::to_string(provided.powerPreference)));
  bool has_workarounds = false;
  for (size_t i = 0; i < provided.optionCount; ++i) {
    RETURN_IF_ERROR(set(provided.optionKeys[i], provided.optionValues[i]));
    has_workarounds |= std::string_view(provided.optionKeys[i]) == "workarounds";
  }
  if (provided.host != nullptr) delegate.set_host(*provided.host);
  if (!options.op_support_limits->empty()) return {};
  if (provided.host != nullptr || OpenWebnnContext == nullptr) {
    return {
        error_code::kDelegateFailed,
        "it has no MLContext. Link programs/program_webnn.cc, which opens one, or pass the option op_support_limits "
        "of yours."};
  }
  const std::optional<WebnnContext> context =
      OpenWebnnContext(options.device_preference->number, options.power_preference->number);
  if (!context) return {error_code::kDelegateFailed, "the host could not open an MLContext."};
  delegate.set_host(context->host);
  RETURN_IF_ERROR(set("op_support_limits", context->op_support_limits));
  return has_workarounds ? Status() : set("workarounds", context->workarounds);
}

}  // namespace

WebnnDelegate& GetWebnnDelegate(TfLiteDelegate* delegate) {
  return *static_cast<WebnnDelegate*>(static_cast<SimpleDelegateInterface*>(delegate->data_));
}

}  // namespace tflite::webnn

TfLiteWebnnDelegateOptions TfLiteWebnnDelegateOptionsDefault(void) { return TfLiteWebnnDelegateOptions{}; }

TfLiteDelegate* TfLiteWebnnDelegateCreate(const TfLiteWebnnDelegateOptions* options) {
  const TfLiteWebnnDelegateOptions used = options ? *options : TfLiteWebnnDelegateOptionsDefault();
  auto delegate = std::make_unique<tflite::webnn::WebnnDelegate>();
  const tflite::webnn::Status status = tflite::webnn::Configure(used, *delegate);
  if (status.ok()) return tflite::TfLiteDelegateFactory::CreateSimpleDelegate(std::move(delegate));
  if (used.reportError != nullptr) {
    used.reportError(status.message().c_str());
  } else {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "There is no WebNN delegate: %s", status.message().c_str());
  }
  return nullptr;
}

void TfLiteWebnnDelegateDelete(TfLiteDelegate* delegate) { tflite_plugin_destroy_delegate(delegate); }

TfLiteDelegate* tflite_plugin_create_delegate(const char* const* options_keys, const char* const* options_values,
                                              size_t num_options, void (*report_error)(const char*)) {
  TfLiteWebnnDelegateOptions options = TfLiteWebnnDelegateOptionsDefault();
  options.optionKeys = options_keys;
  options.optionValues = options_values;
  options.optionCount = num_options;
  options.reportError = report_error;
  return TfLiteWebnnDelegateCreate(&options);
}

void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) {
  tflite::TfLiteDelegateFactory::DeleteSimpleDelegate(delegate);
}
