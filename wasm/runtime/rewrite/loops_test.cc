#include <gtest/gtest.h>

#include "runtime/rewrite/rewrites.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

// while (i < `limit`) { i += 1; x += x; } from i = 0: inputs and outputs are i, x.
class LoopsTest : public testing::Test {
 protected:
  void MakeLoop(int limit) {
    condition_ = file_.AddSubgraph();
    body_ = file_.AddSubgraph();
    TestSubgraph& condition = file_.subgraph(condition_);
    const int i = condition.Tensor(TensorType_INT32, {}), x = condition.Float({2});
    const int goes_on = condition.Tensor(TensorType_BOOL, {});
    condition.Op(BuiltinOperator_LESS, {i, condition.Ints({}, {limit})}, {goes_on});
    condition.SetInputs({i, x});
    condition.SetOutputs({goes_on});
    TestSubgraph& body = file_.subgraph(body_);
    const int count = body.Tensor(TensorType_INT32, {}), value = body.Float({2});
    const int next = body.Tensor(TensorType_INT32, {}), doubled = body.Float({2});
    body.Op(BuiltinOperator_ADD, {count, body.Ints({}, {1})}, {next}, AddOptionsT());
    body.Op(BuiltinOperator_ADD, {value, value}, {doubled}, AddOptionsT());
    body.SetInputs({count, value});
    body.SetOutputs({next, doubled});
    TestSubgraph& main = file_.main();
    start_ = main.Ints({}, {0});
    input_ = main.Float({2});
    const int end = main.Tensor(TensorType_INT32, {}), output = main.Float({2});
    WhileOptionsT options;
    options.cond_subgraph_index = condition_;
    options.body_subgraph_index = body_;
    main.Op(BuiltinOperator_WHILE, {start_, input_}, {end, output}, std::move(options));
    main.SetInputs({input_});
    main.SetOutputs({output});
  }

  // Why the loop was kept.
  std::string Kept() {
    LoadedModel model(file_);
    Composites composites;
    UnrollLoops(model.interpreter(), model.file(), 0, composites);
    EXPECT_EQ(model.Plan(), "WHILE");
    EXPECT_FALSE(model.graph(body_).IsDelegationSkippable());
    return composites.kept.at(0);
  }

  TestModel file_;
  int condition_, body_, start_, input_;
};

TEST_F(LoopsTest, BodyReplacesTheLoopOnceForEachIteration) {
  MakeLoop(3);
  LoadedModel model(file_);
  Composites composites;
  UnrollLoops(model.interpreter(), model.file(), 0, composites);
  EXPECT_EQ(model.Plan(), "ADD ADD ADD ADD ADD ADD");
  EXPECT_TRUE(composites.kept.empty());
  ASSERT_EQ(composites.origins.size(), 6u);
  EXPECT_EQ(composites.origins.begin()->second.name, "WHILE");
  EXPECT_TRUE(model.graph(body_).IsDelegationSkippable());
  EXPECT_TRUE(model.graph(condition_).IsDelegationSkippable());
  EXPECT_EQ(RunModel(model, {{1, -2}}), (std::vector<float>{8, -16}));
}

TEST_F(LoopsTest, LoopsOfUnknownLengthAreKept) {
  MakeLoop(3);
  file_.main().SetInputs({start_, input_});
  file_.main().tensor(start_).buffer = 0;
  EXPECT_EQ(Kept(), "the loop stays one node: the number of its iterations is not known before it runs");
}

TEST_F(LoopsTest, LoopsWithoutIterationsAreKept) {
  MakeLoop(0);
  EXPECT_EQ(Kept(), "the loop stays one node: it has no iterations");
}

TEST_F(LoopsTest, LoopsOfSixtyFourIterationsAreUnrolled) {
  MakeLoop(64);
  LoadedModel model(file_);
  Composites composites;
  UnrollLoops(model.interpreter(), model.file(), 0, composites);
  EXPECT_EQ(model.graph().execution_plan().size(), 128u);
}

TEST_F(LoopsTest, LongerLoopsAreKept) {
  MakeLoop(65);
  EXPECT_EQ(Kept(), "the loop stays one node: it has more than 64 iterations");
}

TEST_F(LoopsTest, LoopsWithVariablesAreKept) {
  MakeLoop(3);
  TestSubgraph& body = file_.subgraph(body_);
  body.tensor(body.Float({2})).is_variable = true;
  EXPECT_EQ(Kept(), "the loop stays one node: its body has variables or composites");
}

TEST_F(LoopsTest, CountersWithAnActivationAreUnknown) {
  MakeLoop(3);
  file_.subgraph(body_).node(0).builtin_options.AsAddOptions()->fused_activation_function =
      ActivationFunctionType_RELU6;
  EXPECT_NE(Kept().find("is not known before it runs"), std::string::npos);
}

}  // namespace
}  // namespace tflite::webnn
