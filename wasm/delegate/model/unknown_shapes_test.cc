#include "delegate/model/unknown_shapes.h"

#include <gtest/gtest.h>

#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

// RELU(RESHAPE(x, shape)), of a shape that is an input or a constant, then NEG(x).
class UnknownShapesTest : public testing::Test {
 protected:
  void MakeModel(bool is_constant) {
    TestSubgraph& main = file_.main();
    const int x = main.Float({2, 3});
    const int shape = is_constant ? main.Ints({1}, {6}) : main.Tensor(TensorType_INT32, {1});
    reshaped_ = main.Float({6});
    clamped_ = main.Float({6});
    negated_ = main.Float({2, 3});
    main.Op(BuiltinOperator_RESHAPE, {x, shape}, {reshaped_}, ReshapeOptionsT());
    main.Op(BuiltinOperator_RELU, {reshaped_}, {clamped_});
    main.Op(BuiltinOperator_NEG, {x}, {negated_});
    main.SetInputs(is_constant ? std::vector<int>{x} : std::vector<int>{x, shape});
    main.SetOutputs({clamped_, negated_});
  }

  TestModel file_;
  int reshaped_ = 0, clamped_ = 0, negated_ = 0;
};

TEST_F(UnknownShapesTest, ComputedShapesMakeWhatFollowsUnknown) {
  MakeModel(/*is_constant=*/false);
  LoadedModel model(file_);
  model.graph().AllocateTensors();
  EXPECT_EQ(TensorsOfUnknownShape(model.graph()), (std::set<int>{reshaped_, clamped_}));
}

TEST_F(UnknownShapesTest, ConstantShapesAreKnown) {
  MakeModel(/*is_constant=*/true);
  LoadedModel model(file_);
  model.graph().AllocateTensors();
  EXPECT_TRUE(TensorsOfUnknownShape(model.graph()).empty());
  EXPECT_FALSE(MoveUnknownShapesLast(model.graph()));
  EXPECT_EQ(model.Plan(), "RESHAPE RELU NEG");
}

TEST_F(UnknownShapesTest, NodesOfUnknownShapesMoveToTheEndOnce) {
  MakeModel(/*is_constant=*/false);
  LoadedModel model(file_);
  model.graph().AllocateTensors();
  EXPECT_TRUE(MoveUnknownShapesLast(model.graph()));
  EXPECT_EQ(model.Plan(), "NEG RESHAPE RELU");
  EXPECT_FALSE(MoveUnknownShapesLast(model.graph()));
}

}  // namespace
}  // namespace tflite::webnn
