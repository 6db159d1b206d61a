#include <gtest/gtest.h>

#include "delegate/model/unknown_shapes.h"
#include "runtime/rewrite/rewrites.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

// y = RESHAPE(x, SHAPE(x) + [0, 0]): converters write such graphs for an open batch.
class ShapeFoldingTest : public testing::Test {
 protected:
  ShapeFoldingTest() {
    TestSubgraph& main = file_.main();
    x_ = main.Float({2, 3});
    const int shape = main.Tensor(TensorType_INT32, {2});
    sum_ = main.Tensor(TensorType_INT32, {2});
    y_ = main.Float({2, 3});
    ShapeOptionsT type;
    type.out_type = TensorType_INT32;
    main.Op(BuiltinOperator_SHAPE, {x_}, {shape}, std::move(type));
    main.Op(BuiltinOperator_ADD, {shape, main.Ints({2}, {0, 0})}, {sum_}, AddOptionsT());
    main.Op(BuiltinOperator_RESHAPE, {x_, sum_}, {y_}, ReshapeOptionsT());
    main.SetInputs({x_});
    main.SetOutputs({y_});
  }

  TestModel file_;
  int x_, sum_, y_;
};

TEST_F(ShapeFoldingTest, WithoutItTheShapeIsUnknown) {
  LoadedModel model(file_);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(TensorsOfUnknownShape(model.graph()), std::set<int>{y_});
}

TEST_F(ShapeFoldingTest, ComputedShapeIsKnownBeforeTheRun) {
  LoadedModel model(file_, FoldShapes);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(model.graph().tensor(sum_)->allocation_type, kTfLitePersistentRo);
  EXPECT_EQ(model.graph().tensor(sum_)->data.i32[1], 3);
  EXPECT_TRUE(TensorsOfUnknownShape(model.graph()).empty());
  EXPECT_EQ(RunModel(model, {{1, 2, 3, 4, 5, 6}}), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(ShapeFoldingTest, FoldedShapeFollowsAResizedInput) {
  LoadedModel model(file_, FoldShapes);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(model.graph().ResizeInputTensor(x_, {4, 1}), kTfLiteOk);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(model.graph().tensor(y_)->dims->data[0], 4);
}

TEST_F(ShapeFoldingTest, SumsOfFloatsAreNotFolded) {
  TestSubgraph& main = file_.main();
  const int z = main.Float({2});
  main.Op(BuiltinOperator_ADD, {main.Floats({2}, {1, 2}), main.Floats({2}, {1, 2})}, {z}, AddOptionsT());
  LoadedModel model(file_, FoldShapes);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  EXPECT_NE(model.graph().tensor(z)->allocation_type, kTfLitePersistentRo);
}

}  // namespace
}  // namespace tflite::webnn
