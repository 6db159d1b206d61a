#ifndef TFLITE_WEBNN_RUNNER_XNNPACK_DENIALS_H_
#define TFLITE_WEBNN_RUNNER_XNNPACK_DENIALS_H_

#include <string>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

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

  // Applies the delegate to every subgraph. Hides the denied nodes from it, and those that XNNPACK computes wrong or
  // not at all: those that the functions above Apply in xnnpack_denials.cc find.
  TfLiteStatus Apply(Interpreter& interpreter, TfLiteDelegate* delegate) const;

  // Denies the cause of a failed preparation of `subgraph` (an index, or kAll): the node that TFLite's `message` names,
  // else all nodes. False if all are denied already, so XNNPACK is not the cause.
  bool Deny(int subgraph, const std::string& message);

  const std::vector<DeniedNode>& nodes() const { return nodes_; }

 private:
  bool IsDenied(int subgraph, int node) const;

  std::vector<DeniedNode> nodes_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_XNNPACK_DENIALS_H_
