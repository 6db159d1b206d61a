#include "tensorflow/lite/graph_info.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "tensorflow/lite/array.h"

// TensorFlow Lite's own function, which the module has no more.
#define PartitionGraphIntoIndependentNodeSubsets PartitionAsTensorFlowLite
#include "tensorflow/lite/graph_info.cc"
#undef PartitionGraphIntoIndependentNodeSubsets

namespace tflite::webnn {
namespace {

class RandomGraph : public GraphInfo {
 public:
  explicit RandomGraph(std::mt19937& random) : random_(random) {
    const int node_count = Below(30);
    tensors_.resize(1 + Below(2 * node_count + 4));
    // The nodes of the plan are some of all, in any order.
    for (int index = 0; index < node_count + Below(3); ++index) all_.push_back(index);
    std::shuffle(all_.begin(), all_.end(), random_);
    const bool is_sorted = Below(5) > 0;
    const int tensor_count = static_cast<int>(tensors_.size());
    for (int position = 0; position < node_count; ++position) {
      TfLiteNode node = {};
      // Tensors are written in their order, unless the plan is not sorted.
      const int reach = 1 + position * tensor_count / node_count;
      node.inputs = List(Below(4), is_sorted ? reach : tensor_count, 0);
      node.outputs = is_sorted ? List(Below(3), tensor_count - reach, reach) : List(Below(3), tensor_count, 0);
      node.might_have_side_effect = Below(6) == 0;
      nodes_.push_back(node);
    }
    for (int i = Below(3); i > 0; --i) outputs_.push_back(Below(tensor_count));
  }

  size_t num_tensors() const override { return tensors_.size(); }
  TfLiteTensor* tensor(size_t index) override { return &tensors_[index]; }
  TfLiteTensor* tensors() override { return tensors_.data(); }
  size_t num_execution_nodes() const override { return nodes_.size(); }
  size_t num_total_nodes() const override { return all_.size(); }
  const TfLiteNode& node(size_t position) const override { return nodes_[position]; }
  const TfLiteRegistration& registration(size_t) const override { return registration_; }
  size_t node_index(size_t position) const override { return all_[position]; }
  const std::vector<int>& inputs() const override { return none_; }
  const std::vector<int>& outputs() const override { return outputs_; }
  const std::vector<int>& variables() const override { return none_; }

  int Below(int limit) { return limit < 1 ? 0 : static_cast<int>(random_() % limit); }

 private:
  TfLiteIntArray* List(int size, int limit, int first) {
    std::vector<int> tensors;
    for (int i = 0; i < size && limit > 0; ++i) tensors.push_back(Below(9) == 0 ? -1 : first + Below(limit));
    lists_.push_back(BuildTfLiteArray(tensors));
    return lists_.back().get();
  }

  std::mt19937& random_;
  std::vector<TfLiteTensor> tensors_;
  std::vector<TfLiteNode> nodes_;
  std::vector<int> all_, outputs_, none_;
  std::deque<IntArrayUniquePtr> lists_;
  TfLiteRegistration registration_ = {};
};

TEST(GraphInfoTest, SubsetsAreThoseOfTensorFlowLite) {
  std::mt19937 random(20261128);
  int partitioned = 0;
  for (int iteration = 0; iteration < 20000; ++iteration) {
    RandomGraph graph(random);
    std::vector<int> requested;
    for (size_t index = 0; index < graph.num_total_nodes() + (iteration % 97 == 0); ++index) {
      if (graph.Below(2) == 0) requested.push_back(static_cast<int>(index));
    }
    ControlEdges edges;
    const int count = static_cast<int>(graph.num_execution_nodes());
    for (int i = graph.Below(4); i > 0 && count > 1; --i) {
      const int from = graph.Below(count - 1);
      edges.emplace_back(from, from + 1 + graph.Below(count - from - 1 + (iteration % 89 == 0)));
    }
    const bool greedily = graph.Below(4) > 0, is_single = graph.Below(4) == 0;
    const ControlEdges* used = graph.Below(2) == 0 ? &edges : nullptr;
    const IntArrayUniquePtr nodes = BuildTfLiteArray(requested);
    std::vector<NodeSubset> actual, expected;
    const TfLiteStatus status =
        PartitionGraphIntoIndependentNodeSubsets(&graph, nodes.get(), &actual, greedily, used, is_single);
    ASSERT_EQ(PartitionAsTensorFlowLite(&graph, nodes.get(), &expected, greedily, used, is_single), status)
        << iteration;
    if (status != kTfLiteOk) continue;
    ++partitioned;
    ASSERT_EQ(expected.size(), actual.size()) << iteration;
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(expected[i].type, actual[i].type) << iteration;
      EXPECT_EQ(expected[i].nodes, actual[i].nodes) << iteration;
      EXPECT_EQ(expected[i].input_tensors, actual[i].input_tensors) << iteration;
      EXPECT_EQ(expected[i].output_tensors, actual[i].output_tensors) << iteration;
    }
  }
  EXPECT_GT(partitioned, 5000);
}

}  // namespace
}  // namespace tflite::webnn
