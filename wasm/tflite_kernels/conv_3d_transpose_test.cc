#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

float Sum(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0f); }

TEST(Conv3dTransposeTest, PaddingsBecomeUnequal) {
  TestModel file;
  TestSubgraph& main = file.main();
  const int shape = main.Ints({5}, {1, 4, 4, 4, 1});
  const int filter = main.Floats({3, 3, 3, 1, 1}, std::vector<float>(27, 1));
  const int x = main.Float({1, 2, 2, 2, 1}), y = main.Float({1, 4, 4, 4, 1});
  Conv3DOptionsT options;
  options.padding = Padding_SAME;
  options.stride_d = options.stride_h = options.stride_w = 2;
  main.Op(BuiltinOperator_CONV_3D_TRANSPOSE, {shape, filter, x}, {y}, std::move(options));
  main.SetInputs({x});
  main.SetOutputs({y});
  LoadedModel model(file);
  const std::vector<float> ones(8, 1);
  EXPECT_EQ(Sum(RunModel(model, {ones})), 5 * 5 * 5);
  // As a shape that other kernels compute while they are prepared.
  model.graph().tensor(shape)->data.i32[1] = 3;
  ASSERT_EQ(model.graph().ResizeInputTensor(x, {2, 2, 2, 2, 1}), kTfLiteOk);
  ASSERT_EQ(model.graph().ResizeInputTensor(x, {1, 2, 2, 2, 1}), kTfLiteOk);
  EXPECT_EQ(Sum(RunModel(model, {ones})), 4 * 5 * 5);
}

}  // namespace
}  // namespace tflite::webnn
