#include "delegate/builder/transpose_pairs.h"

#include <gtest/gtest.h>

#include <vector>

namespace tflite::webnn {
namespace {

using Permutation = std::vector<int>;

// x -> transpose -> softmax -> transpose -> y.
WebnnGraph SoftmaxBetween(const Permutation& first, const Permutation& last) {
  const OperandDescriptor cube{DataType::kFloat32, {2, 2, 2}};
  WebnnGraph graph;
  graph.inputs = {{Operand{0}, 0, cube}};
  graph.operators = {{"transpose", "", {Operand{0}}, {{"permutation", first}}, {Operand{1}}},
                     {"softmax", "", {Operand{1}, 1}, {}, {Operand{2}}},
                     {"transpose", "", {Operand{2}}, {{"permutation", last}}, {Operand{3}}}};
  graph.outputs = {{Operand{3}, 1, cube}};
  return graph;
}

// Chromium would remove both, and compute the softmax along another axis.
TEST(TransposePairsTest, AnotherTransposeSeparatesInversesAroundASoftmax) {
  WebnnGraph graph = SoftmaxBetween({1, 2, 0}, {2, 0, 1});
  EXPECT_TRUE(KeepTransposePairs(&graph));
  ASSERT_EQ(graph.operators.size(), 4u);
  const WebnnGraph::Operator& added = graph.operators[2];
  EXPECT_EQ(std::get<Permutation>(added.options[0].value), (Permutation{0, 1, 2}));
  EXPECT_EQ(std::get<Operand>(added.arguments[0]).id, 2);
  EXPECT_EQ(std::get<Operand>(graph.operators[3].arguments[0]).id, added.outputs[0].id);
}

TEST(TransposePairsTest, OtherPermutationsAreLeftAlone) {
  WebnnGraph graph = SoftmaxBetween({1, 2, 0}, {1, 2, 0});
  EXPECT_FALSE(KeepTransposePairs(&graph));
  EXPECT_EQ(graph.operators.size(), 3u);
}

}  // namespace
}  // namespace tflite::webnn
