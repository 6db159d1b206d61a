#include "runtime/execute/loader.h"

#include <emscripten/threading.h>

#include <algorithm>
#include <functional>

#include "delegate/model/unknown_shapes.h"
#include "delegate/webnn_delegate_impl.h"
#include "runtime/execute/blocking_host.h"
#include "runtime/rewrite/resources.h"
#include "runtime/validate/validate.h"
#include "runtime/xnnpack/threads.h"
#include "runtime/xnnpack/weight_reordering.h"

namespace tflite::webnn {
namespace {

// Subgraphs of signatures that do not run need no delegates' weights.
void LeaveOtherSignaturesToKernels(Interpreter& interpreter, const Model& model, int main_subgraph) {
  for (int64_t index : EntrySubgraphs(model)) {
    if (index != main_subgraph) interpreter.subgraph(static_cast<int>(index))->MarkAsDelegationSkippable();
  }
}

}  // namespace

Status Loader::Load(ModelBytes bytes, size_t size_bytes, const OpResolver& resolver) {
  bytes_ = std::move(bytes);
  resolver_ = &resolver;
  RETURN_IF_ERROR(Validate(bytes_.get(), size_bytes, resolver, main_subgraph()));
  model_ = FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes_.get()), size_bytes, &reporter_);
  if (model_ == nullptr) return reporter_.Fail(error_code::kMalformedModel, "malformed TensorFlow Lite model");
  const auto subgraph_count = static_cast<int>(model_->GetModel()->subgraphs()->size());
  if (main_subgraph() < 0 || main_subgraph() >= subgraph_count) {
    return InvalidOption("main_subgraph", "the model has no subgraph ", main_subgraph());
  }
  constraints_.calls_signatures = CallsSignatures(*model_->GetModel());
  RETURN_IF_ERROR(BuildSession());
  return options_.defer_allocation ? Status() : AllocateMain();
}

Status Loader::BuildSession() {
  bool was_invoked = false;
  if (session_ != nullptr) {
    was_invoked = session_->was_invoked_;
    session_->interpreter_.reset();
    session_->weights_in_place_.Restore();
  }
  session_.reset();
  session_ = std::make_unique<Session>(*model_->GetModel(), options_, constraints_, reporter_);
  session_->was_invoked_ = was_invoked;
  InterpreterOptions interpreter_options;
  interpreter_options.SetPreserveAllTensors(options_.preserve_all_tensors);
  InterpreterBuilder builder(*model_, *resolver_, &interpreter_options);
  // TFLite's kernels stay on this thread: their pools start threads while this one waits, which fails in a module.
  // The module's workers belong to XNNPACK.
  auto& interpreter = session_->interpreter_;
  if (builder(&interpreter, /*num_threads=*/1) != kTfLiteOk || interpreter == nullptr) {
    return reporter_.Fail(error_code::kInterpreterBuildFailed, "TFLite could not build an interpreter for the model");
  }
  RETURN_IF_ERROR(ValidateSparsity(*interpreter));
  const bool leaves_cpu = !constraints_.is_faster_on_cpu;
  const RewriteOptions rewrites{.main_subgraph = main_subgraph(),
                                .unroll_loops = options_.enable_webnn_delegate && leaves_cpu,
                                .extract_variables = options_.external_variables && leaves_cpu};
  RewriteGraphs(*interpreter, *model_->GetModel(), rewrites, session_->rewrites_);
  if (rewrites.extract_variables) reporter_.Take();  // an initialization may have failed
  // A delegate prepares what it sees: a caller of the main subgraph would resize it.
  if (main_subgraph() != 0 || constraints_.calls_signatures) {
    LeaveOtherSignaturesToKernels(*interpreter, *model_->GetModel(), main_subgraph());
  }
  if (options_.enable_profiling) {
    const int max_entries = std::max(options_.max_profiling_buffer_entries, 0);
    if (profiler_ == nullptr) profiler_ = std::make_unique<NodeProfiler>(max_entries);
    session_->profiler_ = profiler_.get();
    interpreter->SetProfiler(profiler_.get());
  }
  return ResizeInputs();
}

Status Loader::Prepare(bool rebuild) {
  const std::set<int> allocated = session_->allocated_subgraphs_;
  while (true) {
    if (rebuild) RETURN_IF_ERROR(BuildSession());
    Outcome outcome = Attempt();
    rebuild = outcome.reason && constraints_.Add(*outcome.reason);
    if (rebuild) continue;
    if (!outcome.status.ok()) return std::move(outcome.status);
    for (int index : allocated) {
      if (session_->allocated_subgraphs_.contains(index)) continue;
      if (session_->interpreter_->subgraph(index)->AllocateTensors() == kTfLiteOk) {
        session_->allocated_subgraphs_.insert(index);
      }
    }
    return {};
  }
}

Status Loader::AllocateMain() {
  bool rebuild = false;
  if (session_->is_delegated_ && is_resized_) {
    StatusOr<bool> has_other_shapes = HasOtherShapes();
    if (!has_other_shapes.ok()) return std::move(has_other_shapes.status);
    // Nodes that an empty input leaves nothing to compute are excluded and skipped, one by one.
    rebuild = *has_other_shapes || session_->is_empty_ || XnnpackExclusions::HasEmptyInput(subgraph());
  }
  RETURN_IF_ERROR(Prepare(rebuild));
  is_resized_ = false;
  return {};
}

Status Loader::AllocateSubgraph(int subgraph_index) {
  Subgraph* graph = session_->interpreter_->subgraph(subgraph_index);
  if (graph == nullptr) {
    return reporter_.Fail(error_code::kAllocateTensorsFailed, "there is no subgraph ", subgraph_index);
  }
  if (subgraph_index == main_subgraph()) return AllocateMain();
  if (!session_->allocated_subgraphs_.contains(subgraph_index)) RETURN_IF_ERROR(ValidateSignature(subgraph_index));
  if (graph->AllocateTensors() == kTfLiteOk) {
    session_->allocated_subgraphs_.insert(subgraph_index);
    return {};
  }
  Status status = reporter_.Fail(error_code::kAllocateTensorsFailed, "the tensors of subgraph ", subgraph_index,
                                 " could not be allocated");
  // Another session would lose the model's state.
  const auto reason = session_->was_invoked_ ? std::nullopt : XnnpackFailure(subgraph_index, status);
  if (!reason || !constraints_.Add(*reason)) return Restore(subgraph_index, std::move(status));
  RETURN_IF_ERROR(Prepare(/*rebuild=*/true));
  return AllocateSubgraph(subgraph_index);
}

Status Loader::ValidateSignature(int subgraph_index) const {
  RETURN_IF_ERROR(ValidateCustomOps(*model_->GetModel(), subgraph_index, *resolver_));
  if (!constraints_.calls_signatures || !SharesInputs(*model_->GetModel(), subgraph_index)) return {};
  return Error(error_code::kAllocateTensorsFailed, "subgraph ", subgraph_index,
               " cannot run here: a node calls it, or it calls a signature's, and both would use the memory of the "
               "inputs. Convert the model so that each signature has a subgraph of its own.");
}

Status Loader::Restore(int subgraph_index, Status error) {
  // With the WebNN delegate TFLite removes all delegates from a subgraph to resize it. If it cannot restore them, the
  // next attempt crashes.
  if (session_->webnn_delegate_ == nullptr) return error;
  const auto first = resized_inputs_.lower_bound({subgraph_index, 0});
  resized_inputs_.erase(first, resized_inputs_.lower_bound({subgraph_index + 1, 0}));
  if (session_->was_invoked_) error = {error.code(), error.message() + "; the model's state was reset"};
  RETURN_IF_ERROR(Prepare(/*rebuild=*/true));
  return error;
}

Loader::Outcome Loader::Attempt() {
  session_->is_empty_ = XnnpackExclusions::HasEmptyInput(subgraph());
  if (!session_->is_delegated_) {
    if (Outcome outcome = ApplyDelegates(); !outcome.status.ok() || outcome.reason) return outcome;
    session_->is_delegated_ = true;
  }
  if (subgraph().AllocateTensors() != kTfLiteOk) {
    Status status = reporter_.Fail(error_code::kAllocateTensorsFailed, "the model's tensors could not be allocated");
    const auto reason = XnnpackFailure(main_subgraph(), status);
    return {std::move(status), reason};
  }
  if (ReadsReordered(*session_->interpreter_, session_->weights_in_place_)) return {{}, retry::ReorderedIsRead{}};
  session_->allocated_subgraphs_.insert(main_subgraph());
  session_->steps_ = StepsOf(subgraph());
  return {};
}

std::optional<RetryReason> Loader::XnnpackFailure(int subgraph_index, const Status& status) {
  XnnpackPartitions* partitions = session_->xnnpack_partitions_.get();
  if (partitions == nullptr || partitions->TakeKernelError()) return std::nullopt;
  const auto rejected = partitions->TakeRejection().value_or(XnnpackPartitions::Rejection{subgraph_index, {}});
  return retry::XnnpackFailed{rejected.subgraph, rejected.nodes, status.message()};
}

Loader::Outcome Loader::ApplyDelegates() {
  const std::vector<int> model_nodes = subgraph().execution_plan();
  if (options_.enable_webnn_delegate && constraints_.webnn_error.empty()) {
    if (Outcome outcome = ApplyWebnnDelegate(); outcome.reason) return outcome;
  }
  const bool webnn_applied = session_->webnn_delegate_ != nullptr;
  ReportPlacement(model_nodes);
  const bool is_spare = options_.xnnpack_only_with_webnn && options_.enable_webnn_delegate && !webnn_applied;
  const bool uses_xnnpack = options_.enable_xnnpack_delegate && !is_spare;
  const bool is_alone = uses_xnnpack && !webnn_applied;
  const bool removes_repetitions = is_alone && !options_.preserve_all_tensors;
  Interpreter& interpreter = *session_->interpreter_;
  RewriteForXnnpack(interpreter, /*may_remove_nodes=*/is_alone, removes_repetitions, session_->rewrites_);
  if (removes_repetitions) reporter_.Take();  // it may have failed to allocate tensors
  if (!uses_xnnpack) return {};
  // Starting XNNPACK, for no node, would take milliseconds. Other subgraphs run here only with shared state or a host.
  const bool is_independent = !session_->variables().are_shared && options_.webnn_host_context == 0;
  // Subgraphs of signatures run here if WebNN gets nothing of an empty main one.
  const bool is_on_webnn = webnn_applied && !session_->report_.nodes.empty() && !HasCpuNodes(session_->report_);
  if (is_on_webnn && (is_independent || interpreter.subgraphs_size() == 1)) return {};
  // Another session of the same file runs subgraphs alone.
  const bool may_reorder = !constraints_.reordered_is_read && !constraints_.calls_signatures;
  if (options_.reorder_weights && !options_.enable_webnn_delegate && may_reorder) {
    AllowReordering(interpreter, bytes_.get(), model_->allocation()->bytes(), session_->weights_in_place_);
  }
  return ApplyXnnpackDelegate();
}

void Loader::ReportPlacement(const std::vector<int>& model_nodes) {
  const bool webnn_applied = session_->webnn_delegate_ != nullptr;
  const std::string& error = constraints_.webnn_error;
  const WebnnDelegate* delegate = webnn_applied ? &GetWebnnDelegate(session_->webnn_delegate_.get()) : nullptr;
  const char* reason = webnn_applied   ? "its partition is outside maxPartitions or minNodesPerPartition"
                       : error.empty() ? "WebNN was not requested"
                                       : error.c_str();
  Composites& composites = session_->rewrites_.composites[main_subgraph()];
  if (!options_.enable_webnn_delegate) composites.kept.clear();  // the caller does not need the reasons
  session_->report_ = ReportPartitions(subgraph(), model_nodes, composites, delegate, reason);
}

Loader::Outcome Loader::ApplyWebnnDelegate() {
  const size_t option_count = options_.webnn_options.size();
  std::vector<const char*> keys(option_count), values(option_count);
  size_t option = 0;
  for (const auto& [key, value] : options_.webnn_options) {
    keys[option] = key.c_str();
    values[option++] = value.c_str();
  }
  const TfLiteWebnnHost host = BlockingHost(options_.webnn_host_context);
  TfLiteWebnnDelegateOptions delegate_options = TfLiteWebnnDelegateOptionsDefault();
  delegate_options.devicePreference = options_.webnn_device_preference;
  delegate_options.powerPreference = options_.webnn_power_preference;
  delegate_options.optionKeys = keys.data();
  delegate_options.optionValues = values.data();
  delegate_options.optionCount = option_count;
  if (options_.webnn_host_context != 0) delegate_options.host = &host;
  static std::string error;  // the callback has no user data
  delegate_options.reportError = [](const char* message) { error = message; };
  auto& owner = session_->webnn_delegate_;
  owner = {TfLiteWebnnDelegateCreate(&delegate_options), TfLiteWebnnDelegateDelete};
  if (owner == nullptr) {
    constraints_.webnn_error = error;
    return {};
  }
  WebnnDelegate& delegate = GetWebnnDelegate(owner.get());
  delegate.set_subgraph(main_subgraph());
  const TfLiteStatus status = constraints_.has_dynamic_tensors
                                  ? ApplyAmongDynamicTensors()
                                  : session_->interpreter_->ModifyGraphWithDelegate(owner.get());
  if (status == kTfLiteOk) return {};
  // Some subgraphs may have it.
  if (status == kTfLiteApplicationError && !constraints_.has_dynamic_tensors) return {{}, retry::DynamicTensors{}};
  const std::string reason =
      delegate.status().ok()
          ? reporter_.Fail(error_code::kDelegateFailed, "TFLite could not apply the WebNN delegate").message()
          : delegate.status().message();
  return {{}, retry::WebnnNotApplied{reason, delegate.is_faster_on_cpu()}};
}

TfLiteStatus Loader::ApplyAmongDynamicTensors() {
  Subgraph& graph = subgraph();
  TfLiteDelegate* delegate = session_->webnn_delegate_.get();
  TF_LITE_ENSURE_STATUS(graph.AllocateTensors());
  // Rejecting a delegate that wants fixed shapes, TFLite prepares the plan as it is now.
  while (graph.HasDynamicTensors() && MoveUnknownShapesLast(graph)) {
    session_->interpreter_->ModifyGraphWithDelegate(delegate);
  }
  delegate->flags |= kTfLiteDelegateFlagsAllowDynamicTensors;
  return session_->interpreter_->ModifyGraphWithDelegate(delegate);
}

int Loader::ThreadCount() {
  const int threads = options_.num_threads == -1 ? emscripten_num_logical_cores() / 2 : options_.num_threads;
  // The objects are the same with and without threads: what the module was linked with decides.
  if (threads <= 1 || !emscripten_has_threading_support()) return 1;
  // The file's shapes need not be those of inputs that were resized.
  if (!options_.input_shapes.empty() || !resized_inputs_.empty()) {
    const bool has_shapes = subgraph().AllocateTensors() == kTfLiteOk && !subgraph().HasDynamicTensors();
    reporter_.Take();
    if (!has_shapes) return threads;
  }
  return ThreadsThatPay(*session_->interpreter_, threads);
}

Loader::Outcome Loader::ApplyXnnpackDelegate() {
  TfLiteXNNPackDelegateOptions xnnpack_options = TfLiteXNNPackDelegateOptionsDefault();
  session_->threads_ = ThreadCount();
  xnnpack_options.num_threads = session_->threads_;
  Interpreter& interpreter = *session_->interpreter_;
  if (interpreter.subgraphs_size() > 1) xnnpack_options.weights_cache = session_->packed_weights_.cache();
  auto& owner = session_->xnnpack_delegate_;
  owner = {CreateXnnpackDelegate(xnnpack_options, *subgraph().context()), TfLiteXNNPackDelegateDelete};
  if (owner == nullptr) return {};  // a module without XNNPACK
  constraints_.xnnpack_exclusions.ExcludeVariables(VariablesReadFirst(interpreter));
  session_->xnnpack_partitions_ = std::make_unique<XnnpackPartitions>(
      owner.get(), constraints_.xnnpack_exclusions, std::bind_front(&CollectingReporter::Take, &reporter_),
      session_->was_invoked_);
  if (interpreter.ModifyGraphWithDelegate(session_->xnnpack_partitions_->delegate()) == kTfLiteOk) return {};
  // TFLite may have removed both delegates from the model.
  Status status = reporter_.Fail(error_code::kDelegateFailed, "the XNNPACK delegate could not be applied");
  const auto reason = XnnpackFailure(XnnpackExclusions::kAll, status);
  return {std::move(status), reason};
}

}  // namespace tflite::webnn
