// State that outlives a run, the subgraphs of signatures, and their tensors.
#include <string>
#include <utility>

#include "runtime/execute/tflite_web_model_runner.h"

namespace tflite::webnn {

Status TFLiteWebModelRunner::AllocateSubgraph(int subgraph_index) {
  Subgraph* graph = interpreter_->subgraph(subgraph_index);
  if (graph == nullptr) {
    return Fail(error_code::kAllocateTensorsFailed, "there is no subgraph " + std::to_string(subgraph_index));
  }
  if (subgraph_index == main_subgraph()) return Prepare();
  while (graph->AllocateTensors() != kTfLiteOk) {
    const Status error = Fail(error_code::kAllocateTensorsFailed,
                              "the tensors of subgraph " + std::to_string(subgraph_index) + " could not be allocated");
    // Building the interpreter again loses the model's state.
    if (was_invoked_ || !DenyXnnpack(subgraph_index, error)) return Restore(subgraph_index, error);
    const std::set<int> others = allocated_subgraphs_;
    const Status rebuilt = PrepareAgain();
    if (!rebuilt.ok()) return rebuilt;
    for (int other : others) {
      if (interpreter_->subgraph(other)->AllocateTensors() == kTfLiteOk) allocated_subgraphs_.insert(other);
    }
    graph = interpreter_->subgraph(subgraph_index);
  }
  allocated_subgraphs_.insert(subgraph_index);
  return {};
}

void TFLiteWebModelRunner::LeaveOtherSignaturesToKernels() {
  std::set<int> others = {0};
  for (const std::string* key : interpreter_->signature_keys()) {
    others.insert(interpreter_->GetSubgraphIndexFromSignature(key->c_str()));
  }
  others.erase(main_subgraph());
  for (int index : others) interpreter_->subgraph(index)->MarkAsDelegationSkippable();
}

Status TFLiteWebModelRunner::Restore(int subgraph_index, Status error) {
  // With the WebNN delegate TFLite removes all delegates from a subgraph to resize it. If it cannot restore them, the
  // next attempt crashes.
  if (webnn_delegate_ == nullptr) return error;
  const auto first = resized_inputs_.lower_bound({subgraph_index, 0});
  resized_inputs_.erase(first, resized_inputs_.lower_bound({subgraph_index + 1, 0}));
  if (was_invoked_) error.message += "; the model's state was reset";
  const Status rebuilt = PrepareAgain();
  return rebuilt.ok() ? error : rebuilt;
}

Status TFLiteWebModelRunner::InvokeSubgraph(int subgraph_index) {
  if (!allocated_subgraphs_.count(subgraph_index)) {
    return Fail(error_code::kInvokeFailed, "subgraph " + std::to_string(subgraph_index) + " is not allocated");
  }
  was_invoked_ = true;
  if (interpreter_->subgraph(subgraph_index)->Invoke() == kTfLiteOk) return {};
  return Fail(error_code::kInvokeFailed, "subgraph " + std::to_string(subgraph_index) + " could not be run");
}

Status TFLiteWebModelRunner::ResizeTensorBytes(int tensor_index, int subgraph_index, size_t size_bytes) {
  TfLiteTensor* resized = tensor(tensor_index, subgraph_index);
  const bool is_resizable = resized != nullptr && resized->allocation_type == kTfLiteDynamic;
  if (is_resizable && TfLiteTensorRealloc(size_bytes, resized) == kTfLiteOk) return {};
  return Fail(error_code::kInvokeFailed, "tensor " + std::to_string(tensor_index) + " cannot be resized to " +
                                             std::to_string(size_bytes) + " bytes");
}

Status TFLiteWebModelRunner::ResetState() {
  std::set<int> subgraphs = allocated_subgraphs_;
  subgraphs.insert(main_subgraph());
  for (int index : subgraphs) {
    if (interpreter_->subgraph(index)->ResetVariableTensors() != kTfLiteOk) {
      return Fail(error_code::kInvokeFailed, "the variable tensors could not be reset");
    }
  }
  // All subgraphs share the resources. CALL_ONCE initializes them again in the next run.
  subgraph().resources().clear();
  subgraph().initialization_status_map().clear();
  return {};
}

Status TFLiteWebModelRunner::ResetVariables() {
  if (interpreter_->ResetVariableTensors() == kTfLiteOk) return {};
  return Fail(error_code::kInvokeFailed, "the variable tensors could not be reset");
}

std::vector<int> TFLiteWebModelRunner::inputs() const {
  const std::vector<int>& all = subgraph().inputs();
  return {all.begin(), all.end() - static_cast<std::ptrdiff_t>(variables_.outside.size())};
}

std::vector<int> TFLiteWebModelRunner::outputs() const {
  const std::vector<int>& all = subgraph().outputs();
  return {all.begin(), all.end() - static_cast<std::ptrdiff_t>(variables_.outside.size())};
}

TfLiteTensor* TFLiteWebModelRunner::tensor(int index, int subgraph_index) const {
  if (interpreter_ == nullptr) return nullptr;
  Subgraph* graph = interpreter_->subgraph(subgraph_index);
  if (graph == nullptr || index < 0 || index >= static_cast<int>(graph->tensors_size())) return nullptr;
  return graph->tensor(index);
}

char* TFLiteWebModelRunner::ExchangeTensorData(int index, int subgraph_index, char* data) const {
  TfLiteTensor* found = tensor(index, subgraph_index);
  // TFLite plans memory during a run only for dynamic tensors. Inputs and outputs never share memory with others.
  if (found == nullptr || found->allocation_type != kTfLiteArenaRw || found->data.raw == nullptr ||
      interpreter_->subgraph(subgraph_index)->HasDynamicTensors()) {
    return nullptr;
  }
  return std::exchange(found->data.raw, data);
}

}  // namespace tflite::webnn
