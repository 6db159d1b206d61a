#ifndef TFLITE_WEBNN_RUNNER_XNNPACK_DENIALS_H_
#define TFLITE_WEBNN_RUNNER_XNNPACK_DENIALS_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runner/resources.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

// During its lifetime, nodes have an op code that no delegate takes.
class HiddenNodes {
 public:
  explicit HiddenNodes(Subgraph& subgraph) : subgraph_(subgraph) {}
  ~HiddenNodes() {
    for (const auto& [node, code] : codes_) CodeOf(node) = code;
  }
  HiddenNodes(const HiddenNodes&) = delete;
  HiddenNodes& operator=(const HiddenNodes&) = delete;

  void Hide(int node) {
    codes_.emplace_back(node, CodeOf(node));
    CodeOf(node) = kTfLiteBuiltinPlaceholderForGreaterOpCodes;
  }

 private:
  int32_t& CodeOf(int node) {
    return const_cast<TfLiteRegistration&>(subgraph_.node_and_registration(node)->second).builtin_code;
  }

  Subgraph& subgraph_;
  std::vector<std::pair<int, int32_t>> codes_;
};

// Nodes that TFLite's own kernels run because XNNPACK failed to prepare them. XNNPACK chooses nodes one by one and
// builds their operators later; if one cannot be built, TFLite fails the whole model.
class XnnpackDenials {
 public:
  struct DeniedNode {
    int subgraph;  // kAll where TFLite does not say which one failed
    int node;      // index of the node; kAll for every node
    std::string reason;
  };
  static constexpr int kAll = -1;

  // Whether an input of the subgraph has no elements.
  static bool HasEmptyInput(Subgraph& subgraph);

  // These variables stay with TFLite's kernels.
  void ExcludeVariables(std::set<VariableKey> variables) { variables_read_first_ = std::move(variables); }

  // The nodes of a plan that XNNPACK must not see: denied ones, and those that it computes wrong or not at all, as the
  // functions above Excluded in xnnpack_denials.cc find.
  std::set<int> Excluded(Subgraph& subgraph, const std::vector<int>& plan) const;

  // Denies the cause of a failed preparation of `subgraph` (an index, or kAll): the nodes that `message` names, else
  // all nodes. False if all are denied already, so XNNPACK is not the cause.
  bool Deny(int subgraph, const std::string& message);

  const std::vector<DeniedNode>& nodes() const { return nodes_; }

 private:
  bool IsDenied(int subgraph, int node) const;

  std::vector<DeniedNode> nodes_;
  std::set<VariableKey> variables_read_first_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_XNNPACK_DENIALS_H_
