#include <gtest/gtest.h>

#include "delegate/patterns/pattern.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

// The nodes of a layer normalization of [1, 3, 3] over `axis`, with a scale and a bias for each of the last axis.
// Unless `is_centered`, the variance is around constants.
void AddNormalization(TestSubgraph& graph, int axis, bool is_centered) {
  const std::vector<int> full = {1, 3, 3}, rows = {1, 3, 1};
  const auto mean_of = [&](int tensor) {
    const int mean = graph.Float({1, 3}), reshaped = graph.Float(rows);
    graph.Op(BuiltinOperator_MEAN, {tensor, graph.Ints({1}, {axis})}, {mean}, ReducerOptionsT());
    graph.Op(BuiltinOperator_RESHAPE, {mean, graph.Ints({3}, rows)}, {reshaped}, ReshapeOptionsT());
    return reshaped;
  };
  const auto add = [&](BuiltinOperator op, std::vector<int> inputs, const std::vector<int>& shape, auto options) {
    const int output = graph.Float(shape);
    graph.Op(op, std::move(inputs), {output}, std::move(options));
    return output;
  };
  const int x = graph.Float(full);
  const int mean = mean_of(x);
  const int center = is_centered ? mean : graph.Floats(rows, {1, 2, 3});
  const int squares = add(BuiltinOperator_SQUARED_DIFFERENCE, {x, center}, full, SquaredDifferenceOptionsT());
  const int variance = mean_of(squares);
  const int sum = add(BuiltinOperator_ADD, {variance, graph.Floats({}, {1e-3f})}, rows, AddOptionsT());
  const int root = graph.Float(rows);
  graph.Op(BuiltinOperator_RSQRT, {sum}, {root});
  const int factor = add(BuiltinOperator_MUL, {root, graph.Floats({3}, {1, 2, 3})}, full, MulOptionsT());
  const int scaled = add(BuiltinOperator_MUL, {x, factor}, full, MulOptionsT());
  const int moved = add(BuiltinOperator_MUL, {mean, factor}, full, MulOptionsT());
  const int shift = add(BuiltinOperator_SUB, {graph.Floats({3}, {4, 5, 6}), moved}, full, SubOptionsT());
  const int y = add(BuiltinOperator_ADD, {scaled, shift}, full, AddOptionsT());
  graph.SetInputs({x});
  graph.SetOutputs({y});
}

size_t MatchedNodes(int axis, bool is_centered = true) {
  TestModel file;
  AddNormalization(file.main(), axis, is_centered);
  LoadedModel model(file);
  const GraphView view(model.DelegateContext());
  return FindPatterns(view).size();
}

TEST(LayerNormalizationTest, MeansOverTheLastAxisAreThePattern) {
  EXPECT_EQ(MatchedNodes(2), 12u);
  EXPECT_EQ(MatchedNodes(-1), 12u);
}

// Reshaped, their means have the shape of those over the last axis.
TEST(LayerNormalizationTest, MeansOverAnotherAxisAreNot) { EXPECT_EQ(MatchedNodes(1), 0u); }

TEST(LayerNormalizationTest, VariancesAroundAnotherNumberAreNot) { EXPECT_EQ(MatchedNodes(2, false), 0u); }

}  // namespace
}  // namespace tflite::webnn
