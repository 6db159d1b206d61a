#ifndef TFLITE_WEBNN_RUNTIME_XNNPACK_PARTITIONS_H_
#define TFLITE_WEBNN_RUNTIME_XNNPACK_PARTITIONS_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "runtime/xnnpack/exclusions.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite::webnn {

using Shapes = std::vector<std::vector<int>>;

// A delegate that hands nodes to XNNPACK's. XNNPACK checks shapes only when it builds a partition, and accepts some
// that TFLite's kernels reject. So whenever a partition is prepared, at load, after a resize, or during a run behind
// data-dependent shapes, TFLite's kernels check and compute the shapes first, and XNNPACK builds it for these.
class XnnpackPartitions {
 public:
  struct Rejection {
    int subgraph;
    std::vector<int> nodes;
  };

  // XNNPACK does not see the nodes of `exclusions`. Once the model has run, a partition that XNNPACK rejects
  // runs on TFLite's kernels; before, its preparation fails. `take_message` returns what TFLite has reported.
  XnnpackPartitions(TfLiteDelegate* xnnpack, const XnnpackExclusions& exclusions,
                    std::function<std::string()> take_message, const bool& was_invoked);

  TfLiteDelegate* delegate() { return &delegate_; }
  // Whether a kernel, not XNNPACK, rejected its inputs since the last call.
  bool TakeKernelError() { return std::exchange(has_kernel_error_, false); }
  // What XNNPACK rejected since the last call.
  std::optional<Rejection> TakeRejection() { return std::exchange(rejection_, std::nullopt); }
  // The nodes of the partitions that run on TFLite's kernels, in the shapes of the latest run.
  std::vector<XnnpackExclusions::Node> NodesOnKernels() const;

 private:
  struct Partition;

  static TfLiteStatus Apply(TfLiteContext* context, TfLiteDelegate* delegate);
  static void* Init(TfLiteContext* context, const char* params, size_t length);
  static void Free(TfLiteContext* context, void* partition);
  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node);
  static TfLiteStatus Invoke(TfLiteContext* context, TfLiteNode* node);

  // Lets XNNPACK choose among the subgraph's nodes in the shapes that tensors have now.
  TfLiteStatus ChooseNodes(TfLiteContext* context);
  // Lets TFLite's kernels of the nodes check and compute their shapes.
  TfLiteStatus PrepareNodes(TfLiteContext* context, const Partition& partition);
  // Builds the partition for the shapes at hand. False if XNNPACK does not accept all of its nodes.
  bool Build(TfLiteContext* context, Partition& partition);
  // Whether XNNPACK chose the node for the shapes at hand.
  bool Accepts(TfLiteContext* context, int node_index) const;
  // The nodes of a partition that it did not, each with a message to TFLite.
  std::vector<int> RejectedNodes(TfLiteContext* context, const Partition& partition) const;
  // An error if XNNPACK must not see a node of a built partition in the shapes at hand.
  TfLiteStatus CheckExclusions(TfLiteContext* context, const Partition& partition);
  bool CanBuildAlone(TfLiteContext* context, const Partition& partition, int node_index);
  // Finds which nodes of a partition XNNPACK rejects: all of them where it accepts each one alone.
  void FindRejected(TfLiteContext* context, const Partition& partition);
  // Lets XNNPACK build it, after it has chosen the subgraph's nodes.
  void CreateKernel(TfLiteContext* context, Partition& partition);
  // Whether the memory that XNNPACK unpacked constants into, for this partition, was replaced.
  bool IsStale(const Partition& partition) const;

  TfLiteDelegate* const xnnpack_;
  const XnnpackExclusions& exclusions_;
  const std::function<std::string()> take_message_;
  const bool& was_invoked_;
  TfLiteDelegate delegate_ = TfLiteDelegateCreate();
  bool has_kernel_error_ = false;
  std::optional<Rejection> rejection_;
  std::vector<const Partition*> partitions_;
  std::map<int, std::vector<int>> plans_;          // by subgraph, before partitions replaced nodes
  std::map<int, int> choices_;                     // by subgraph, how often XNNPACK has chosen
  std::map<int, int> reserve_next_, reserve_end_;  // by subgraph, unused tensors for kernels
  // XNNPACK's latest choice: the subgraph, its nodes, and the shapes of all tensors then.
  int chosen_subgraph_ = -1;
  std::set<int> chosen_;
  Shapes chosen_shapes_;
  TfLiteRegistration xnnpack_kernel_ = {};
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_XNNPACK_PARTITIONS_H_
