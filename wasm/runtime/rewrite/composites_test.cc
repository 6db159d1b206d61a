#include <gtest/gtest.h>

#include "runtime/rewrite/rewrites.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

// A composite of x whose decomposition is relu(x + x), then a NEG.
class CompositesTest : public testing::Test {
 protected:
  CompositesTest() : body_index_(file_.AddSubgraph()) {
    TestSubgraph& body = file_.subgraph(body_index_);
    const int x = body.Float({2}), sum = body.Float({2}), y = body.Float({2});
    body.Op(BuiltinOperator_ADD, {x, x}, {sum}, AddOptionsT());
    body.Op(BuiltinOperator_RELU, {sum}, {y});
    body.SetInputs({x});
    body.SetOutputs({y});
    TestSubgraph& main = file_.main();
    const int input = main.Float({2}), result = main.Float({2}), output = main.Float({2});
    main.Composite({input}, {result}, body_index_);
    main.Op(BuiltinOperator_NEG, {result}, {output});
    main.SetInputs({input});
    main.SetOutputs({output});
  }

  // Why the composite was kept.
  std::string Kept() {
    LoadedModel model(file_);
    const std::map<int, Composites> composites = InlineComposites(model.interpreter(), model.file());
    EXPECT_EQ(model.Plan(), "STABLEHLO_COMPOSITE NEG");
    return composites.at(0).kept.at(0);
  }

  TestModel file_;
  int body_index_;
};

TEST_F(CompositesTest, NodesOfTheDecompositionReplaceTheComposite) {
  LoadedModel model(file_);
  const std::map<int, Composites> composites = InlineComposites(model.interpreter(), model.file());
  EXPECT_EQ(model.Plan(), "ADD RELU NEG");
  ASSERT_EQ(composites.size(), 1u) << "the decomposition runs nowhere else";
  EXPECT_TRUE(composites.at(0).kept.empty());
  ASSERT_EQ(composites.at(0).origins.size(), 2u);
  for (const auto& [node, origin] : composites.at(0).origins) {
    EXPECT_EQ(origin.name, "test.composite");
    EXPECT_EQ(origin.node_index, 0);
  }
  EXPECT_TRUE(model.graph(body_index_).IsDelegationSkippable());
  EXPECT_EQ(RunModel(model, {{-1, 2}}), (std::vector<float>{0, -4}));
}

TEST_F(CompositesTest, CompositesWithinADecompositionAreInlined) {
  const int inner = file_.AddSubgraph();
  TestSubgraph& graph = file_.subgraph(inner);
  const int x = graph.Float({2}), y = graph.Float({2});
  graph.Op(BuiltinOperator_ABS, {x}, {y});
  graph.SetInputs({x});
  graph.SetOutputs({y});
  TestSubgraph& body = file_.subgraph(body_index_);
  const int z = body.Float({2});
  body.Composite({2}, {z}, inner);
  body.SetOutputs({z});
  LoadedModel model(file_);
  InlineComposites(model.interpreter(), model.file());
  EXPECT_EQ(model.Plan(), "ADD RELU ABS NEG");
  EXPECT_EQ(RunModel(model, {{-1, 2}}), (std::vector<float>{0, -4}));
}

TEST_F(CompositesTest, TwoCompositesShareConstantsOnly) {
  TestSubgraph& body = file_.subgraph(body_index_);
  const int z = body.Float({2});
  body.Op(BuiltinOperator_ADD, {2, body.Floats({2}, {10, 20})}, {z}, AddOptionsT());
  body.SetOutputs({z});
  TestSubgraph& main = file_.main();
  const int again = main.Float({2});
  main.Composite({2}, {again}, body_index_);
  main.SetOutputs({again});
  LoadedModel model(file_);
  InlineComposites(model.interpreter(), model.file());
  EXPECT_EQ(model.Plan(), "ADD RELU ADD NEG ADD RELU ADD");
  EXPECT_EQ(RunModel(model, {{-8, 1}}), (std::vector<float>{10, 20}));
}

TEST_F(CompositesTest, CompositesWithoutDecompositionAreKept) {
  file_.main().node(0).builtin_options_2.AsStableHLOCompositeOptions()->decomposition_subgraph_index = 9;
  EXPECT_EQ(Kept(), "the composite 'test.composite' stays one node: it has no decomposition");
}

TEST_F(CompositesTest, DecompositionOfOtherTypesIsKept) {
  file_.subgraph(body_index_).tensor(0).type = TensorType_INT32;
  EXPECT_NE(Kept().find("its tensors differ from those of its decomposition"), std::string::npos);
}

TEST_F(CompositesTest, DecompositionThatContainsItselfIsKept) {
  file_.subgraph(body_index_).Composite({2}, {file_.subgraph(body_index_).Float({2})}, body_index_);
  LoadedModel model(file_);
  const Composites composites = InlineComposites(model.interpreter(), model.file()).at(0);
  EXPECT_EQ(model.Plan(), "ADD RELU STABLEHLO_COMPOSITE NEG");
  ASSERT_EQ(composites.kept.size(), 1u);
  EXPECT_NE(composites.kept.begin()->second.find("contains itself"), std::string::npos);
}

TEST_F(CompositesTest, DecompositionThatReturnsItsInputIsKept) {
  file_.subgraph(body_index_).SetOutputs({0});
  EXPECT_NE(Kept().find("returns a tensor that none of its nodes writes"), std::string::npos);
}

TEST_F(CompositesTest, DecompositionWithVariablesIsKept) {
  file_.subgraph(body_index_).tensor(1).is_variable = true;
  EXPECT_NE(Kept().find("has variables"), std::string::npos);
}

}  // namespace
}  // namespace tflite::webnn
