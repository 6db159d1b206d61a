#ifndef TFLITE_WEBNN_RUNTIME_XNNPACK_DELEGATE_CONTEXTS_H_
#define TFLITE_WEBNN_RUNTIME_XNNPACK_DELEGATE_CONTEXTS_H_

#include <set>
#include <utility>
#include <vector>

#include "runtime/rewrite/mutable_node.h"
#include "tensorflow/lite/array.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {

inline Subgraph& GraphOf(TfLiteContext* context) { return *static_cast<Subgraph*>(context->impl_); }

inline std::vector<int> ShapeOf(const TfLiteTensor& tensor) {
  const TfLiteIntArray* dims = tensor.dims;
  return dims == nullptr ? std::vector<int>() : std::vector<int>(dims->data, dims->data + dims->size);
}

inline std::vector<int> ListOf(const TfLiteIntArray& array) { return {array.data, array.data + array.size}; }

// During its lifetime, a delegate can read the subgraph's nodes, and what it wants to replace is recorded. `hidden`
// nodes have an op code that no delegate accepts.
class DelegateContext {
 public:
  DelegateContext(TfLiteContext* context, const std::vector<int>& plan, std::set<int> hidden = {})
      : context_(context), saved_(*context), plan_(BuildTfLiteArray(plan)), hidden_(std::move(hidden)) {
    current_ = this;
    hidden_registration_.builtin_code = kTfLiteBuiltinPlaceholderForGreaterOpCodes;
    context->GetExecutionPlan = [](TfLiteContext*, TfLiteIntArray** plan) {
      *plan = current_->plan_.get();
      return kTfLiteOk;
    };
    context->GetNodeAndRegistration = [](TfLiteContext* context, int index, TfLiteNode** node,
                                         TfLiteRegistration** registration) {
      TF_LITE_ENSURE(context, GraphOf(context).node_and_registration(index) != nullptr);
      auto& [found_node, found_registration] = MutableNode(GraphOf(context), index);
      *node = &found_node;
      *registration = &found_registration;
      if (current_->hidden_.contains(index)) *registration = &current_->hidden_registration_;
      return kTfLiteOk;
    };
    context->ReplaceNodeSubsetsWithDelegateKernels = [](TfLiteContext*, TfLiteRegistration kernel,
                                                        const TfLiteIntArray* nodes, TfLiteDelegate*) {
      current_->kernel = kernel;
      current_->nodes = {nodes->data, nodes->data + nodes->size};
      return kTfLiteOk;
    };
  }
  ~DelegateContext() {
    context_->GetExecutionPlan = saved_.GetExecutionPlan;
    context_->GetNodeAndRegistration = saved_.GetNodeAndRegistration;
    context_->ReplaceNodeSubsetsWithDelegateKernels = saved_.ReplaceNodeSubsetsWithDelegateKernels;
    current_ = nullptr;
  }
  DelegateContext(const DelegateContext&) = delete;
  DelegateContext& operator=(const DelegateContext&) = delete;

  TfLiteRegistration kernel = {};
  std::set<int> nodes;

 private:
  static inline DelegateContext* current_ = nullptr;

  TfLiteContext* context_;
  const TfLiteContext saved_;
  IntArrayUniquePtr plan_;
  const std::set<int> hidden_;
  TfLiteRegistration hidden_registration_ = {};
};

// During its lifetime, kernels get temporary tensors that exist already: a kernel has pointers to tensors, which move
// when tensors are added.
class ReservedTensors {
 public:
  // `next` and `end` are the range of those that are left.
  ReservedTensors(TfLiteContext* context, int& next, int& end)
      : context_(context), add_tensors_(context->AddTensors), next_(next), end_(end) {
    current_ = this;
    context->AddTensors = [](TfLiteContext* context, int count, int* first) {
      if (count > current_->end_ - current_->next_) return current_->add_tensors_(context, count, first);
      if (first != nullptr) *first = current_->next_;
      current_->next_ += count;
      return kTfLiteOk;
    };
  }
  ~ReservedTensors() {
    context_->AddTensors = add_tensors_;
    current_ = nullptr;
  }
  ReservedTensors(const ReservedTensors&) = delete;
  ReservedTensors& operator=(const ReservedTensors&) = delete;

  // Before a kernel is prepared.
  TfLiteStatus Fill() {
    constexpr int kMaxPerNode = 16;  // TFLite reserves as many
    if (end_ - next_ >= kMaxPerNode) return kTfLiteOk;
    TF_LITE_ENSURE_OK(context_, add_tensors_(context_, 2 * kMaxPerNode, &next_));
    end_ = next_ + 2 * kMaxPerNode;
    return kTfLiteOk;
  }

 private:
  static inline ReservedTensors* current_ = nullptr;

  TfLiteContext* context_;
  decltype(TfLiteContext::AddTensors) add_tensors_;
  int& next_;
  int& end_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_XNNPACK_DELEGATE_CONTEXTS_H_
