#ifndef TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_IMPL_H_
#define TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_IMPL_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "delegate/cost/model_cost.h"
#include "delegate/delegate_options.h"
#include "delegate/graph/op_support_limits.h"
#include "delegate/model/graph_view.h"
#include "delegate/patterns/pattern.h"
#include "delegate/quantization/quantized_form.h"
#include "delegate/webnn_delegate.h"
#include "support/status.h"
#include "tensorflow/lite/delegates/utils/simple_delegate.h"

namespace tflite::webnn {

inline constexpr char kDelegateName[] = "TfLiteWebnnDelegate";

// Decides which nodes WebNN runs, and creates the kernel of each partition.
class WebnnDelegate : public SimpleDelegateInterface {
 public:
  // Set these before applying the delegate.
  webnn::DelegateOptions& options() { return options_; }
  void set_host(const TfLiteWebnnHost& host) { host_ = host; }
  // The only subgraph whose nodes it accepts; by default the main one. TFLite offers all of them.
  void set_subgraph(int index) { subgraph_index_ = index; }

  // Reads the context's limits and checks every node of the subgraph's plan. Fails without WebNN.
  TfLiteStatus Initialize(TfLiteContext* context) override;
  bool IsNodeSupportedByDelegate(const TfLiteRegistration* registration, const TfLiteNode* node,
                                 TfLiteContext* context) const override;
  std::unique_ptr<SimpleDelegateKernelInterface> CreateDelegateKernelInterface() override;
  const char* Name() const override { return kDelegateName; }
  Options DelegateOptions() const override;

  // Why each rejected node stays on the CPU, by node index. supported() has those of them that WebNN could run.
  // This and lowerings() describe the interpreter that the delegate was last applied to.
  const std::map<int, std::string>& rejections() const { return rejections_; }
  const std::set<int>& supported() const { return supported_; }
  // How the nodes are lowered, by node index; nodes that are not quantized are left out.
  const std::map<int, NodeLowering>& lowerings() const { return lowerings_; }
  // The groups of nodes that are lowered as one, by node index.
  const PatternMatches& patterns() const { return patterns_; }
  // The workarounds because of which nodes were rejected.
  const Workarounds& workarounds() const { return workarounds_; }
  // An error if the delegate could not be applied at all.
  const Status& status() const { return status_; }
  // Whether it was not applied because the CPU is faster, by the estimate.
  bool is_faster_on_cpu() const { return is_faster_on_cpu_; }

 private:
  void CheckNodes(TfLiteContext* context);
  void CheckPatterns(GraphBuilder& checker);
  void CheckNode(const OpView& op, GraphBuilder& checker);
  // Rejects a node without a look at its lowering.
  Status CheckBeforeLowering(const OpView& op) const;
  Status CheckOptions(const OpView& op) const;
  Status CheckShapes(const OpView& op) const;
  // Rejects a node that WebNN could run, for the sake of others.
  void LeaveOut(int node_index, std::string reason);
  void RejectOrphanedConstants();
  void RejectManyPartitions();
  void RejectCostlyPartitions(TfLiteContext* context);
  bool IsEntireModel() const;
  // Decides it for a model that WebNN runs as one, and sets status().
  void EstimateModelCost();

  webnn::DelegateOptions options_;
  std::optional<TfLiteWebnnHost> host_;
  int subgraph_index_ = 0;
  std::optional<OpSupportLimits> limits_;
  std::shared_ptr<const GraphView> view_;
  std::set<int> unknown_shapes_;  // tensors
  std::map<int, std::string> rejections_;
  std::set<int> supported_;
  std::map<int, NodeLowering> lowerings_;
  PatternMatches patterns_;
  Workarounds workarounds_;
  ModelCost cost_;
  std::map<const TfLiteNode*, int> node_indices_;
  Status status_;
  bool is_faster_on_cpu_ = false;
};

// The delegate behind a TfLiteDelegate created by TfLiteWebnnDelegateCreate.
WebnnDelegate& GetWebnnDelegate(TfLiteDelegate* delegate);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_IMPL_H_
