// Replaces TensorFlow Lite's file of this name: the same subsets in the same order, but it does not look at all nodes
// again for each subset.
#include "tensorflow/lite/graph_info.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <vector>

#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite {
namespace {

// Of a tensor: the subset that writes it, or one of these.
constexpr int kNotReady = -1;
constexpr int kAlwaysReady = -2;

void SortUnique(std::vector<int>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

class Partitioner {
 public:
  Partitioner(const GraphInfo& info, const TfLiteIntArray& requested, ControlEdges edges, bool greedily, bool is_fusing,
              std::vector<NodeSubset>& subsets)
      : info_(info),
        node_count_(static_cast<int>(info.num_execution_nodes())),
        greedily_(greedily),
        is_fusing_(is_fusing),
        edges_(std::move(edges)),
        is_requested_(info.num_total_nodes()),
        missing_(node_count_),
        readers_(info.num_tensors()),
        subset_of_(info.num_tensors(), kAlwaysReady),
        subsets_(subsets) {
    for (int node : TfLiteIntArrayView(&requested)) is_requested_[node] = true;
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const auto& [from, to] : edges_) ++missing_[to];
    for (int position = 0; position < node_count_; ++position) {
      ForEachTensor(info_.node(position).outputs, [&](int tensor) { subset_of_[tensor] = kNotReady; });
    }
    for (int position = 0; position < node_count_; ++position) {
      ForEachTensor(info_.node(position).inputs, [&](int tensor) {
        if (subset_of_[tensor] != kNotReady) return;
        readers_[tensor].push_back(position);
        ++missing_[position];
      });
    }
  }

  TfLiteStatus Run() {
    subsets_.clear();
    for (int position = 0; position < node_count_; ++position) {
      if (missing_[position] == 0) ready_[IsRequested(position)].push(position);
    }
    while (!ready_[0].empty() || !ready_[1].empty()) FillSubset();
    if (taken_count_ != node_count_) return kTfLiteError;
    for (int tensor : info_.outputs()) {
      if (subset_of_[tensor] == kNotReady) return kTfLiteError;
      if (subset_of_[tensor] != kAlwaysReady) subsets_[subset_of_[tensor]].output_tensors.push_back(tensor);
    }
    for (NodeSubset& subset : subsets_) {
      SortUnique(subset.input_tensors);
      SortUnique(subset.output_tensors);
    }
    return kTfLiteOk;
  }

 private:
  // Positions in the plan, the first one on top.
  using Positions = std::priority_queue<int, std::vector<int>, std::greater<>>;

  template <typename Function>
  static void ForEachTensor(const TfLiteIntArray* tensors, const Function& function) {
    for (int tensor : TfLiteIntArrayView(tensors)) {
      if (tensor != kTfLiteOptionalTensor) function(tensor);
    }
  }

  bool IsRequested(int position) const { return is_requested_[info_.node_index(position)]; }

  // The first ready node decides what is in the subset. Nodes that get ready behind the latest one follow it; those
  // before it come when the plan has been passed.
  void FillSubset() {
    const bool is_requested = ready_[0].empty() || (!ready_[1].empty() && ready_[1].top() < ready_[0].top());
    NodeSubset& subset = subsets_.emplace_back();
    subset.type = is_requested ? NodeSubset::kTfPartition : NodeSubset::kTfNonPartition;
    Positions& next = ready_[is_requested];
    int latest = -1;
    while (is_fusing_ || subset.nodes.empty()) {
      const bool is_at_end = latest + 1 == node_count_;
      if (!greedily_ && latest >= 0 && !is_at_end && (next.empty() || next.top() != latest + 1)) break;
      if (next.empty()) {
        if (passed_.empty()) break;
        std::swap(next, passed_);
        latest = -1;
      }
      latest = next.top();
      next.pop();
      Take(latest, is_requested, subset);
    }
    for (; !passed_.empty(); passed_.pop()) next.push(passed_.top());
  }

  void Take(int position, bool is_requested, NodeSubset& subset) {
    const TfLiteNode& node = info_.node(position);
    const int index = static_cast<int>(subsets_.size()) - 1;
    ++taken_count_;
    subset.nodes.push_back(static_cast<int>(info_.node_index(position)));
    const auto release = [&](int reader) {
      if (--missing_[reader] > 0) return;
      const bool is_of_subset = IsRequested(reader) == is_requested;
      (is_of_subset && reader < position ? passed_ : ready_[IsRequested(reader)]).push(reader);
    };
    ForEachTensor(node.outputs, [&](int tensor) {
      const bool is_new = subset_of_[tensor] == kNotReady;
      subset_of_[tensor] = index;
      if (is_new) std::for_each(readers_[tensor].begin(), readers_[tensor].end(), release);
    });
    ForEachTensor(node.inputs, [&](int tensor) {
      const int writer = subset_of_[tensor];
      if (writer == index) return;
      subset.input_tensors.push_back(tensor);
      if (writer >= 0) subsets_[writer].output_tensors.push_back(tensor);
    });
    auto edge = std::lower_bound(edges_.begin(), edges_.end(), ControlEdge(position, 0));
    for (; edge != edges_.end() && edge->first == position; ++edge) release(edge->second);
  }

  const GraphInfo& info_;
  const int node_count_;
  const bool greedily_;
  const bool is_fusing_;
  ControlEdges edges_;
  std::vector<bool> is_requested_;         // by the node's index
  std::vector<int> missing_;               // inputs and edges that a node waits for, by its position
  std::vector<std::vector<int>> readers_;  // positions, by the tensor that they wait for
  std::vector<int> subset_of_;             // by the tensor
  std::array<Positions, 2> ready_;         // other nodes, and requested ones
  Positions passed_;                       // ready nodes of the subset that the plan's next pass handles
  int taken_count_ = 0;
  std::vector<NodeSubset>& subsets_;
};

// The order of nodes that may have side effects.
ControlEdges EdgesOfSideEffects(const GraphInfo& info) {
  ControlEdges edges;
  int latest = -1;
  for (int position = 0; position < static_cast<int>(info.num_execution_nodes()); ++position) {
    if (!info.node(position).might_have_side_effect) continue;
    if (latest >= 0) edges.emplace_back(latest, position);
    latest = position;
  }
  return edges;
}

}  // namespace

TfLiteStatus PartitionGraphIntoIndependentNodeSubsets(const GraphInfo* info, const TfLiteIntArray* nodes_to_partition,
                                                      std::vector<NodeSubset>* node_subsets, bool greedily,
                                                      const ControlEdges* control_edges, bool disable_node_fusion) {
  const auto is_within = [](int index, size_t size) { return index >= 0 && static_cast<size_t>(index) < size; };
  for (int node : TfLiteIntArrayView(nodes_to_partition)) {
    if (!is_within(node, info->num_total_nodes())) return kTfLiteError;
  }
  ControlEdges edges;
  if (control_edges != nullptr) {
    edges = *control_edges;
  } else if (greedily) {
    edges = EdgesOfSideEffects(*info);
  }
  for (const auto& [from, to] : edges) {
    const size_t count = info->num_execution_nodes();
    if (!is_within(from, count) || !is_within(to, count)) return kTfLiteError;
  }
  return Partitioner(*info, *nodes_to_partition, std::move(edges), greedily, !disable_node_fusion, *node_subsets).Run();
}

}  // namespace tflite
