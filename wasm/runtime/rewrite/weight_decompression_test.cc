#include <gtest/gtest.h>

#include "runtime/rewrite/rewrites.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

// 1, -2, 3, -4 as int4, the low half of a byte first.
const std::vector<uint8_t> kInt4 = {0xE1, 0xC3};

class WeightDecompressionTest : public testing::Test {
 protected:
  // A constant with one scale, 0.5.
  int Weights(TensorType type, const std::vector<int>& shape, const std::vector<uint8_t>& bytes) {
    const int tensor = file_.main().Constant(type, shape, bytes);
    auto quantization = std::make_unique<QuantizationParametersT>();
    quantization->scale = {0.5f};
    quantization->zero_point = {0};
    file_.main().tensor(tensor).quantization = std::move(quantization);
    return tensor;
  }
  // out = x + DEQUANTIZE(weights), both of 4 floats.
  int AddDequantized(int weights) {
    TestSubgraph& main = file_.main();
    const int x = main.Float({4}), unpacked = main.Float({4}), sum = main.Float({4});
    main.Op(BuiltinOperator_DEQUANTIZE, {weights}, {unpacked});
    main.Op(BuiltinOperator_ADD, {x, unpacked}, {sum}, AddOptionsT());
    main.SetInputs({x});
    main.SetOutputs({sum});
    return unpacked;
  }
  // x [1,2] * weights [2,2] by BATCH_MATMUL.
  void Multiply(int weights) {
    TestSubgraph& main = file_.main();
    const int x = main.Float({1, 2}), y = main.Float({1, 2});
    main.Op(BuiltinOperator_BATCH_MATMUL, {x, weights}, {y}, BatchMatMulOptionsT());
    main.SetInputs({x});
    main.SetOutputs({y});
  }

  TestModel file_;
};

TEST_F(WeightDecompressionTest, DequantizedInt4BecomesAConstant) {
  const int unpacked = AddDequantized(Weights(TensorType_INT4, {4}, kInt4));
  LoadedModel model(file_);
  const DecompressedWeights weights = DecompressWeights(model.interpreter(), /*may_remove_nodes=*/true);
  EXPECT_EQ(model.Plan(), "ADD");
  ASSERT_EQ(weights.size(), 1u);
  EXPECT_EQ(model.graph().tensor(unpacked)->allocation_type, kTfLiteMmapRo);
  EXPECT_EQ(RunModel(model, {{0, 0, 0, 0}}), (std::vector<float>{0.5f, -1, 1.5f, -2}));
}

TEST_F(WeightDecompressionTest, NodesAreKeptUnlessTheyMayBeRemoved) {
  AddDequantized(Weights(TensorType_INT4, {4}, kInt4));
  LoadedModel model(file_);
  EXPECT_TRUE(DecompressWeights(model.interpreter(), /*may_remove_nodes=*/false).empty());
  EXPECT_EQ(model.Plan(), "DEQUANTIZE ADD");
}

TEST_F(WeightDecompressionTest, DequantizedInt8IsLeftToXnnpack) {
  AddDequantized(Weights(TensorType_INT8, {4}, {1, 2, 3, 4}));
  LoadedModel model(file_);
  EXPECT_TRUE(DecompressWeights(model.interpreter(), /*may_remove_nodes=*/true).empty());
  EXPECT_EQ(model.Plan(), "DEQUANTIZE ADD");
}

TEST_F(WeightDecompressionTest, DequantizedInt8ThatIsReturnedBecomesAConstant) {
  const int unpacked = AddDequantized(Weights(TensorType_INT8, {4}, {1, 2, 3, 4}));
  file_.main().SetOutputs({unpacked});
  LoadedModel model(file_);
  const DecompressedWeights weights = DecompressWeights(model.interpreter(), /*may_remove_nodes=*/true);
  EXPECT_EQ(weights.size(), 1u);
  EXPECT_EQ(model.Plan(), "ADD");
}

TEST_F(WeightDecompressionTest, Int4OperandsBecomeFloats) {
  const int narrow = Weights(TensorType_INT4, {2, 2}, kInt4);
  Multiply(narrow);
  LoadedModel model(file_);
  const DecompressedWeights weights = DecompressWeights(model.interpreter(), /*may_remove_nodes=*/true);
  ASSERT_EQ(weights.size(), 1u);
  EXPECT_EQ(model.graph().tensor(narrow)->type, kTfLiteFloat32);
  EXPECT_EQ(RunModel(model, {{1, 10}}), (std::vector<float>{15.5f, -21}));
}

TEST_F(WeightDecompressionTest, ZeroPointsOfInt4AreSubtracted) {
  const int narrow = Weights(TensorType_INT4, {2, 2}, kInt4);
  file_.main().tensor(narrow).quantization->zero_point = {1};
  Multiply(narrow);
  LoadedModel model(file_);
  const DecompressedWeights weights = DecompressWeights(model.interpreter(), /*may_remove_nodes=*/true);
  EXPECT_EQ(RunModel(model, {{1, 10}}), (std::vector<float>{10, -26.5f}));
}

TEST_F(WeightDecompressionTest, Int4FiltersBecomeInt8) {
  TestSubgraph& main = file_.main();
  const int filter = Weights(TensorType_INT4, {2, 1, 1, 2}, kInt4);
  const int x = main.Float({1, 1, 1, 2}), y = main.Float({1, 1, 1, 2});
  Conv2DOptionsT options;
  options.stride_w = options.stride_h = 1;
  main.Op(BuiltinOperator_CONV_2D, {x, filter, main.Floats({2}, {0, 0})}, {y}, std::move(options));
  main.SetInputs({x});
  main.SetOutputs({y});
  LoadedModel model(file_);
  const DecompressedWeights weights = DecompressWeights(model.interpreter(), true);
  ASSERT_EQ(weights.size(), 1u);
  const TfLiteTensor& unpacked = *model.graph().tensor(filter);
  EXPECT_EQ(unpacked.type, kTfLiteInt8);
  EXPECT_EQ(std::vector<int8_t>(unpacked.data.int8, unpacked.data.int8 + 4), (std::vector<int8_t>{1, -2, 3, -4}));
  EXPECT_EQ(unpacked.params.scale, 0.5f);
}

TEST_F(WeightDecompressionTest, EqualWeightsAreKeptOnce) {
  Multiply(Weights(TensorType_INT4, {2, 2}, kInt4));
  TestSubgraph& main = file_.main();
  const int again = main.Tensor(TensorType_INT4, {2, 2});  // the same buffer
  main.tensor(again).buffer = main.tensor(0).buffer;
  main.tensor(again).quantization = std::make_unique<QuantizationParametersT>(*main.tensor(0).quantization);
  main.Op(BuiltinOperator_BATCH_MATMUL, {1, again}, {main.Float({1, 2})}, BatchMatMulOptionsT());
  LoadedModel model(file_);
  EXPECT_EQ(DecompressWeights(model.interpreter(), true).size(), 1u);
  EXPECT_EQ(model.graph().tensor(0)->data.raw, model.graph().tensor(again)->data.raw);
}

TEST_F(WeightDecompressionTest, DepthwiseFilterGetsAScaleForEachChannel) {
  TestSubgraph& main = file_.main();
  const int filter = Weights(TensorType_INT8, {1, 1, 1, 3}, {1, 2, 3});
  const int x = main.Float({1, 1, 1, 3}), y = main.Float({1, 1, 1, 3});
  DepthwiseConv2DOptionsT options;
  options.stride_w = options.stride_h = options.depth_multiplier = 1;
  main.Op(BuiltinOperator_DEPTHWISE_CONV_2D, {x, filter, main.Floats({3}, {0, 0, 0})}, {y}, std::move(options));
  main.SetInputs({x});
  main.SetOutputs({y});
  LoadedModel model(file_);
  DecompressWeights(model.interpreter(), true);
  const auto& affine = *static_cast<const TfLiteAffineQuantization*>(model.graph().tensor(filter)->quantization.params);
  EXPECT_EQ(affine.quantized_dimension, 3);
  ASSERT_EQ(affine.scale->size, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(affine.scale->data[i], 0.5f);
}

TEST_F(WeightDecompressionTest, GroupedFilterGetsAScaleForEachChannel) {
  TestSubgraph& main = file_.main();
  const int filter = Weights(TensorType_INT8, {2, 1, 1, 1}, {1, 2});
  const int x = main.Float({1, 1, 1, 2}), y = main.Float({1, 1, 1, 2});
  Conv2DOptionsT options;
  options.stride_w = options.stride_h = 1;
  main.Op(BuiltinOperator_CONV_2D, {x, filter, main.Floats({2}, {0, 0})}, {y}, std::move(options));
  main.SetInputs({x});
  main.SetOutputs({y});
  LoadedModel model(file_);
  DecompressWeights(model.interpreter(), true);
  const auto& affine = *static_cast<const TfLiteAffineQuantization*>(model.graph().tensor(filter)->quantization.params);
  EXPECT_EQ(affine.quantized_dimension, 0);
  EXPECT_EQ(affine.scale->size, 2);
}

}  // namespace
}  // namespace tflite::webnn
