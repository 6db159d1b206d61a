#include "runtime/execute/tflite_web_model_runner.h"

#include <emscripten/threading.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "delegate/model/op_name.h"
#include "delegate/model/unknown_shapes.h"
#include "delegate/webnn_delegate_impl.h"
#include "runtime/execute/blocking_host.h"
#include "runtime/execute/execution_plan.h"
#include "runtime/execute/partial_run.h"
#include "runtime/execute/partition_report.h"
#include "runtime/rewrite/loops.h"
#include "runtime/rewrite/resources.h"
#include "runtime/rewrite/shape_folding.h"
#include "runtime/validate/model_check.h"
#include "runtime/validate/sparsity_check.h"
#include "runtime/xnnpack/weight_reordering.h"
#include "tensorflow/lite/core/interpreter_builder.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"
#include "tensorflow/lite/logger.h"
#include "tflite_kernels/op_resolver.h"

namespace tflite::webnn {

TFLiteWebModelRunner::TFLiteWebModelRunner()
    : buffer_(nullptr, free), webnn_delegate_(nullptr, nullptr), xnnpack_delegate_(nullptr, nullptr) {
  // Status and the report contain the messages, so keep them out of the page's console.
  LoggerOptions::SetMinimumLogSeverity(TFLITE_LOG_ERROR);
  auto resolver = std::make_unique<MutableOpResolver>();
  AddOps(*resolver);
  FoldShapes(*resolver);
  resolver_ = std::move(resolver);
}

Status TFLiteWebModelRunner::Fail(const char* code, const std::string& what) {
  const std::string reported = reporter_.Take();
  return {code, reported.empty() ? what : what + ": " + reported, {}};
}

Status TFLiteWebModelRunner::InitFromBuffer(const char* model_buffer_data, size_t model_buffer_size,
                                            std::unique_ptr<OpResolver> resolver) {
  resolver_ = std::move(resolver);
  std::unique_ptr<uint8_t[], void (*)(void*)> copy(static_cast<uint8_t*>(malloc(model_buffer_size)), free);
  std::copy_n(model_buffer_data, model_buffer_size, copy.get());
  return InitFromBuffer(std::move(copy), model_buffer_size);
}

Status TFLiteWebModelRunner::InitFromBuffer(std::unique_ptr<uint8_t[], void (*)(void*)> buffer, size_t size_bytes) {
  buffer_ = std::move(buffer);
  if (const Status error = CheckModel(buffer_.get(), size_bytes, *resolver_); !error.ok()) return error;
  model_ = FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(buffer_.get()), size_bytes, &reporter_);
  if (model_ == nullptr) return Fail(error_code::kMalformedModel, "malformed TensorFlow Lite model");
  const auto subgraph_count = static_cast<int>(model_->GetModel()->subgraphs()->size());
  if (main_subgraph() < 0 || main_subgraph() >= subgraph_count) {
    return {error_code::kInvalidOption,
            "option 'main_subgraph': the model has no subgraph " + std::to_string(main_subgraph()),
            {{"option", "main_subgraph"}}};
  }
  const Status error = BuildInterpreter();
  return error.ok() && !options_.defer_allocation ? Prepare() : error;
}

Status TFLiteWebModelRunner::Prepare() {
  if (delegates_applied_) {
    const Status error = CheckResizedInputs();
    if (!error.ok()) return error;
  }
  const bool is_empty = XnnpackDenials::HasEmptyInput(subgraph());
  const bool changes_nodes =
      delegates_applied_ && xnnpack_delegate_ != nullptr && (is_empty != is_empty_ || has_other_shapes_);
  has_other_shapes_ = false;
  is_empty_ = is_empty;
  Status error = changes_nodes ? PrepareAgain() : AllocateMainSubgraph();
  while (!error.ok() && DenyXnnpack(main_subgraph(), error)) error = PrepareAgain();
  if (error.ok()) is_resized_ = false;
  return error;
}

bool TFLiteWebModelRunner::DenyXnnpack(int subgraph_index, const Status& error) {
  if (xnnpack_partitions_ == nullptr || xnnpack_partitions_->TakeKernelError()) return false;
  const auto rejected = xnnpack_partitions_->TakeRejection().value_or(XnnpackPartitions::Rejection{subgraph_index, {}});
  return xnnpack_denials_.Deny(rejected.subgraph, rejected.nodes, error.message);
}

Status TFLiteWebModelRunner::AllocateMainSubgraph() {
  const Status error = delegates_applied_ ? Status() : ApplyDelegates();
  if (!error.ok()) return error;
  delegates_applied_ = true;
  if (subgraph().AllocateTensors() != kTfLiteOk) {
    return Fail(error_code::kAllocateTensorsFailed, "the model's tensors could not be allocated");
  }
  if (ReadsReordered(*interpreter_, weights_in_place_)) {
    options_.reorder_weights = false;
    return PrepareAgain();
  }
  if (is_empty_) SkipEmptyNodes(subgraph());
  allocated_subgraphs_.insert(main_subgraph());
  steps_ = StepsOf(subgraph());
  return {};
}

Status TFLiteWebModelRunner::PrepareAgain() {
  delegates_applied_ = false;
  is_faster_on_cpu_ = false;
  allocated_subgraphs_.clear();
  const Status error = BuildInterpreter();
  return error.ok() ? AllocateMainSubgraph() : error;
}

Status TFLiteWebModelRunner::BuildInterpreter() {
  interpreter_.reset();
  packed_weights_.Clear();
  weights_in_place_.Restore();
  unpacked_weights_.clear();
  known_shapes_.clear();
  InterpreterOptions interpreter_options;
  interpreter_options.SetPreserveAllTensors(options_.preserve_all_tensors);
  InterpreterBuilder builder(*model_, *resolver_, &interpreter_options);
  // TFLite's own kernels stay on this thread: their pools start threads while this one waits, which fails in a module.
  // The module's workers belong to XNNPACK.
  if (builder(&interpreter_, /*num_threads=*/1) != kTfLiteOk || interpreter_ == nullptr) {
    return Fail(error_code::kInterpreterBuildFailed, "TFLite could not build an interpreter for the model");
  }
  const std::string problem = SparsityProblem(*interpreter_);
  if (!problem.empty()) return {error_code::kMalformedModel, "malformed TensorFlow Lite model: " + problem, {}};
  composites_ = InlineComposites(*interpreter_, *model_->GetModel());
  if (options_.enable_webnn_delegate && !is_faster_on_cpu_) {
    UnrollLoops(*interpreter_, *model_->GetModel(), main_subgraph(), composites_[main_subgraph()]);
  }
  variables_ = {};
  if (options_.external_variables && !is_faster_on_cpu_) {
    variables_ = TakeVariablesOut(*interpreter_, main_subgraph());
    composites_[main_subgraph()].kept.merge(variables_.kept);
    reporter_.Take();  // an initialization may have failed
  } else {
    variables_.are_shared = HasResources(*interpreter_);
  }
  KeepOrderOfStates(*interpreter_);
  if (main_subgraph() != 0) LeaveOtherSignaturesToKernels();
  if (options_.enable_profiling) {
    const int max_entries = std::max(options_.max_profiling_buffer_entries, 0);
    if (profiler_ == nullptr) profiler_ = std::make_unique<NodeProfiler>(max_entries);
    interpreter_->SetProfiler(profiler_.get());
  }
  return ResizeInputs();
}

Status TFLiteWebModelRunner::ApplyDelegates() {
  std::vector<int> model_nodes = subgraph().execution_plan();
  bool webnn_applied = false;
  if (options_.enable_webnn_delegate) {
    if (const Status error = ApplyWebnnDelegate(&webnn_applied); !error.ok()) return error;
    if (!webnn_applied) model_nodes = subgraph().execution_plan();  // with its loops again
  }
  std::string default_reason = delegate_error_.empty() ? "WebNN was not asked for" : delegate_error_;
  if (webnn_applied) default_reason = "its partition is outside maxPartitions or minNodesPerPartition";
  static const std::map<int, std::string> kNoRefusals;
  static const std::map<int, NodeLowering> kNoLowerings;
  static const std::set<int> kNoNodes;
  static const PatternMatches kNoPatterns;
  const WebnnDelegate* delegate = webnn_applied ? &GetWebnnDelegate(webnn_delegate_.get()) : nullptr;
  const DelegateFindings findings{delegate ? delegate->refusals() : kNoRefusals,
                                  delegate ? delegate->supported() : kNoNodes,
                                  delegate ? delegate->lowerings() : kNoLowerings,
                                  delegate ? delegate->patterns() : kNoPatterns,
                                  delegate ? delegate->workarounds() : Workarounds(),
                                  composites_[main_subgraph()],
                                  default_reason,
                                  options_.enable_webnn_delegate,
                                  webnn_applied};
  report_ = ReportPartitions(subgraph(), model_nodes, findings);
  const bool is_let_go = options_.xnnpack_only_beside_webnn && options_.enable_webnn_delegate && !webnn_applied;
  const bool uses_xnnpack = options_.enable_xnnpack_delegate && !is_let_go;
  // WebNN unpacks weights itself, and a plan that it has changed cannot be changed again.
  unpacked_weights_ = UnpackWeights(*interpreter_, uses_xnnpack && !webnn_applied);
  if (!uses_xnnpack) return {};
  // Starting XNNPACK, for no node, would take milliseconds. Other subgraphs run here only with shared state or a host.
  const bool is_alone = !variables_.are_shared && options_.webnn_host_context == 0;
  // Subgraphs of signatures run here if WebNN gets nothing of an empty main one.
  const bool is_on_webnn = webnn_applied && !report_.nodes.empty() && !HasCpuNodes(report_);
  if (is_on_webnn && (is_alone || interpreter_->subgraphs_size() == 1)) return {};
  if (!webnn_applied && !options_.preserve_all_tensors) {
    known_shapes_ = RemoveRepetitions(*interpreter_);
    reporter_.Take();  // it may have failed to allocate tensors
  }
  if (options_.reorder_weights && !options_.enable_webnn_delegate) {
    AllowReordering(*interpreter_, buffer_.get(), model_->allocation()->bytes(), weights_in_place_);
  }
  return ApplyXnnpackDelegate();
}

Status TFLiteWebModelRunner::ApplyWebnnDelegate(bool* applied) {
  delegate_error_.clear();
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : options_.webnn_options) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  const TfLiteWebnnHost host = BlockingHost(options_.webnn_host_context);
  TfLiteWebnnDelegateOptions delegate_options = TfLiteWebnnDelegateOptionsDefault();
  delegate_options.devicePreference = options_.webnn_device_preference;
  delegate_options.powerPreference = options_.webnn_power_preference;
  delegate_options.optionKeys = keys.data();
  delegate_options.optionValues = values.data();
  delegate_options.optionCount = keys.size();
  if (options_.webnn_host_context != 0) delegate_options.host = &host;
  static std::string reason;  // the callback has no user data
  delegate_options.reportError = [](const char* message) { reason = message; };
  webnn_delegate_ = {TfLiteWebnnDelegateCreate(&delegate_options), TfLiteWebnnDelegateDelete};
  if (webnn_delegate_ == nullptr) {
    delegate_error_ = reason;
    return {};
  }
  GetWebnnDelegate(webnn_delegate_.get()).set_subgraph(main_subgraph());
  TfLiteStatus status = interpreter_->ModifyGraphWithDelegate(webnn_delegate_.get());
  if (status == kTfLiteApplicationError) {
    // Some subgraphs may have it.
    if (const Status rebuilt = BuildInterpreter(); !rebuilt.ok()) return rebuilt;
    status = ApplyBesideDynamicTensors();
  }
  *applied = status == kTfLiteOk;
  if (*applied) return {};
  delegate_error_ = GetWebnnDelegate(webnn_delegate_.get()).error();
  is_faster_on_cpu_ = GetWebnnDelegate(webnn_delegate_.get()).is_faster_on_cpu();
  if (delegate_error_.empty()) delegate_error_ = Fail("", "TFLite could not apply the WebNN delegate").message;
  return BuildInterpreter();  // a failed delegate may leave nodes behind
}

TfLiteStatus TFLiteWebModelRunner::ApplyBesideDynamicTensors() {
  Subgraph& graph = subgraph();
  TF_LITE_ENSURE_STATUS(graph.AllocateTensors());
  // Refusing a delegate that wants fixed shapes, TFLite prepares the plan as it is now.
  while (graph.HasDynamicTensors() && MoveUnknownShapesLast(graph)) {
    interpreter_->ModifyGraphWithDelegate(webnn_delegate_.get());
  }
  webnn_delegate_->flags |= kTfLiteDelegateFlagsAllowDynamicTensors;
  return interpreter_->ModifyGraphWithDelegate(webnn_delegate_.get());
}

Status TFLiteWebModelRunner::ApplyXnnpackDelegate() {
  TfLiteXNNPackDelegateOptions xnnpack_options = TfLiteXNNPackDelegateOptionsDefault();
  // The objects are the same with and without threads: what the module was linked with decides.
  const int threads = options_.num_threads == -1 ? emscripten_num_logical_cores() / 2 : options_.num_threads;
  xnnpack_options.num_threads = emscripten_has_threading_support() ? threads : 1;
  if (interpreter_->subgraphs_size() > 1) xnnpack_options.weights_cache = packed_weights_.cache();
  xnnpack_delegate_ = {TfLiteXNNPackDelegateCreate(&xnnpack_options), TfLiteXNNPackDelegateDelete};
  if (xnnpack_delegate_ == nullptr) return {};  // a module without XNNPACK
  xnnpack_denials_.ExcludeVariables(VariablesReadFirst(*interpreter_));
  xnnpack_partitions_ = std::make_unique<XnnpackPartitions>(
      xnnpack_delegate_.get(), std::bind_front(&XnnpackDenials::Excluded, &xnnpack_denials_),
      std::bind_front(&CollectingReporter::Take, &reporter_), was_invoked_);
  if (interpreter_->ModifyGraphWithDelegate(xnnpack_partitions_->delegate()) == kTfLiteOk) return {};
  // TFLite may have removed both delegates from the model: prepare again with fewer nodes for XNNPACK.
  const Status error = Fail(error_code::kDelegateFailed, "the XNNPACK delegate could not be applied");
  if (!DenyXnnpack(XnnpackDenials::kAll, error)) return error;
  is_faster_on_cpu_ = false;
  const Status rebuilt = BuildInterpreter();
  return rebuilt.ok() ? ApplyDelegates() : rebuilt;
}

Status TFLiteWebModelRunner::Invoke() {
  was_invoked_ = true;
  if (subgraph().Invoke() == kTfLiteOk) return {};
  return Fail(error_code::kInvokeFailed, "the model could not be run");
}

Status TFLiteWebModelRunner::InvokeSteps(int first, int count) {
  Subgraph& graph = subgraph();
  const std::vector<int>& plan = graph.execution_plan();
  if (first < 0 || count < 0 || first + count > static_cast<int>(plan.size())) {
    return Fail(error_code::kInvokeFailed,
                "there are no plan entries " + std::to_string(first) + " to " + std::to_string(first + count));
  }
  was_invoked_ = true;
  if (graph.HasDynamicTensors()) {
    if (InvokePart(graph, first, count, profiler_.get()) == kTfLiteOk) return {};
    return Fail(error_code::kInvokeFailed, "plan entries " + std::to_string(first) + " to " +
                                               std::to_string(first + count - 1) + " could not be run");
  }
  for (int position = first; position < first + count; ++position) {
    const auto* entry = graph.node_and_registration(plan[position]);
    TfLiteNode* node = const_cast<TfLiteNode*>(&entry->first);
    // A delegate that measures its own operators, such as XNNPACK, is not also measured as a whole.
    const bool measures_itself =
        node->delegate != nullptr && (node->delegate->flags & kTfLiteDelegateFlagsPerOperatorProfiling) != 0;
    const ScopedOperatorProfile profile(measures_itself ? nullptr : profiler_.get(), OpName(entry->second),
                                        plan[position]);
    if (entry->second.invoke == nullptr || entry->second.invoke(graph.context(), node) != kTfLiteOk) {
      return Fail(error_code::kInvokeFailed,
                  "plan entry " + std::to_string(position) + " (" + OpName(entry->second) + ") could not be run");
    }
  }
  return {};
}

}  // namespace tflite::webnn
