#ifndef TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_KERNEL_H_
#define TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_KERNEL_H_

#include <map>
#include <vector>

#include "delegate/graph_view.h"
#include "delegate/op_support_limits.h"
#include "delegate/quantized_form.h"
#include "delegate/webnn_graph.h"
#include "tensorflow/lite/delegates/utils/simple_delegate.h"

namespace tflite::webnn {

// One partition: Init lowers its nodes to a WebnnGraph, which JavaScript builds and dispatches.
class WebnnDelegateKernel : public SimpleDelegateKernelInterface {
 public:
  // All belong to the delegate, which outlives its kernels.
  WebnnDelegateKernel(const OpSupportLimits* limits, const GraphView* view,
                      const std::map<int, NodeLowering>* lowerings)
      : limits_(limits), view_(view), lowerings_(lowerings) {}

  TfLiteStatus Init(TfLiteContext* context, const TfLiteDelegateParams* params) override;
  TfLiteStatus Prepare(TfLiteContext*, TfLiteNode*) override { return kTfLiteOk; }
  // Fails, unless the graph has nothing to compute: WebNN is asynchronous, so the caller that steps
  // through the plan runs this partition by dispatching graph(), not by invoking the node.
  TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) override;

  const WebnnGraph& graph() const { return graph_; }
  // Indices of the nodes that the partition replaced.
  const std::vector<int>& nodes() const { return nodes_; }

 private:
  const OpSupportLimits* limits_;
  const GraphView* view_;
  const std::map<int, NodeLowering>* lowerings_;
  WebnnGraph graph_;
  std::vector<int> nodes_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_KERNEL_H_
