#ifndef TFLITE_WEBNN_RUNTIME_XNNPACK_EXCLUSIONS_H_
#define TFLITE_WEBNN_RUNTIME_XNNPACK_EXCLUSIONS_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/rewrite/resources.h"
#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

// Nodes that TFLite's kernels run because XNNPACK failed to prepare them. XNNPACK chooses nodes one by one and
// builds their operators later; if one cannot be built, TFLite fails the entire model.
class XnnpackExclusions {
 public:
  struct Node {
    int subgraph;  // kAll where TFLite does not say which one failed
    int node;      // index of the node; kAll for every node
    std::string reason;
  };
  static constexpr int kAll = -1;

  // Whether an input of the subgraph has no elements.
  static bool HasEmptyInput(Subgraph& subgraph);

  // These variables remain with TFLite's kernels.
  void ExcludeVariables(std::set<VariableKey> variables) { variables_read_first_ = std::move(variables); }

  // The nodes of a plan that XNNPACK must not see: failed ones, and those that it computes wrong or not at all, as the
  // functions above Excluded in exclusions.cc find.
  std::set<int> Excluded(Subgraph& subgraph, const std::vector<int>& plan) const;

  // Adds `nodes`, those that XNNPACK rejected, or all nodes of `subgraph` (an index, or kAll) where these are
  // unknown. False if all are there already, so XNNPACK is not the cause.
  bool Add(int subgraph, std::vector<int> nodes, const std::string& reason);

  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  bool IsFailed(int subgraph, int node) const;

  std::vector<Node> nodes_;
  std::set<VariableKey> variables_read_first_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_XNNPACK_EXCLUSIONS_H_
