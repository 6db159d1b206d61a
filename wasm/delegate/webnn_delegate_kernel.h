#ifndef TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_KERNEL_H_
#define TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_KERNEL_H_

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "delegate/graph/op_support_limits.h"
#include "delegate/graph/webnn_graph.h"
#include "delegate/model/graph_view.h"
#include "delegate/patterns/pattern.h"
#include "delegate/quantization/quantized_form.h"
#include "delegate/webnn_delegate.h"
#include "tensorflow/lite/delegates/utils/simple_delegate.h"

namespace tflite::webnn {

// One partition: Init lowers its nodes to a WebnnGraph. With a host, the host builds it and Eval computes it there;
// without one, JavaScript builds graph() and dispatches it.
class WebnnDelegateKernel : public SimpleDelegateKernelInterface {
 public:
  // The delegate outlives its kernels. Only Init(), which follows the delegate's Initialize(), reads those about the
  // interpreter, but for the view, which the graph's constants read. `host` may be null.
  WebnnDelegateKernel(const OpSupportLimits* limits, std::shared_ptr<const GraphView> view,
                      const std::map<int, NodeLowering>* lowerings, const PatternMatches* patterns,
                      const TfLiteWebnnHost* host)
      : limits_(limits), view_(std::move(view)), lowerings_(lowerings), patterns_(patterns), host_(host) {}
  ~WebnnDelegateKernel() override;

  TfLiteStatus Init(TfLiteContext* context, const TfLiteDelegateParams* params) override;
  TfLiteStatus Prepare(TfLiteContext*, TfLiteNode*) override { return kTfLiteOk; }
  // Computes the partition on the host. Fails without one, unless the graph is empty: WebNN is asynchronous, so
  // the caller that steps through the plan dispatches graph() instead of invoking the node.
  TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) override;

  const WebnnGraph& graph() const { return graph_; }
  // Indices of the nodes that the partition replaced.
  const std::vector<int>& nodes() const { return nodes_; }

 private:
  TfLiteStatus LowerNodes(TfLiteContext* context, const TfLiteDelegateParams* params);
  void LowerOne(const OpView& op, const std::set<int>& partition, GraphBuilder& builder) const;
  TfLiteStatus BuildOnHost(TfLiteContext* context);

  const OpSupportLimits* limits_;
  std::shared_ptr<const GraphView> view_;
  const std::map<int, NodeLowering>* lowerings_;
  const PatternMatches* patterns_;
  const TfLiteWebnnHost* host_;
  int32_t host_graph_ = 0;
  WebnnGraph graph_;
  std::vector<int> nodes_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_KERNEL_H_
