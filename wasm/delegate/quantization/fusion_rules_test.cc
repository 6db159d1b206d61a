#include "delegate/quantization/fusion_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tflite::webnn {
namespace {

AffineOperand Of(DataType type, std::vector<float> scales, std::vector<int> zero_points) {
  return {type, {std::move(scales), std::move(zero_points), 0}};
}

// Why an operator with this result, of two channels, does not fuse; "" if it does.
std::string Rejection(const char* op, const std::vector<AffineOperand>& inputs, const AffineOperand& output) {
  const WebnnGraph::Operator node{op, "", {}, {}, {}};
  QuantizedCall call{node, {}, {&output}, {{DataType::kFloat32, {1, 4, 4, 2}}}};
  for (const AffineOperand& input : inputs) call.inputs.push_back(&input);
  const Status status = FindFusionRule(op)(call);
  return status.ok() ? "" : status.message();
}

TEST(FusionRulesTest, ConvolutionWithAScaleForEachChannelFuses) {
  const AffineOperand input = Of(DataType::kInt8, {0.5f}, {3}), output = Of(DataType::kInt8, {0.5f}, {-1});
  const AffineOperand filter = Of(DataType::kInt8, {0.5f, 0.25f}, {0, 0});
  const AffineOperand bias = Of(DataType::kInt32, {0.25f, 0.125f}, {0, 0});
  EXPECT_EQ(Rejection("conv2d", {input, filter, bias}, output), "");
  EXPECT_EQ(Rejection("conv2d", {input, filter}, output), "it has no bias");
  EXPECT_EQ(Rejection("conv2d", {input, Of(DataType::kInt8, {0.5f, 0.25f}, {0, 1}), bias}, output),
            "the filter's zero point is not 0");
  EXPECT_EQ(Rejection("conv2d", {input, filter, Of(DataType::kInt32, {0.25f, 0.25f}, {0, 0})}, output),
            "the bias's scale is not input scale * filter scale");
  EXPECT_EQ(Rejection("conv2d", {input, filter, Of(DataType::kInt32, {0.25f, 0.125f}, {0, 1})}, output),
            "the bias is not int32 with zero point 0");
}

TEST(FusionRulesTest, ProductsOfScalesAreLimited) {
  const AffineOperand large = Of(DataType::kInt8, {16}, {0}), one = Of(DataType::kInt8, {1}, {0});
  EXPECT_EQ(Rejection("mul", {large, one}, one), "");
  EXPECT_EQ(Rejection("mul", {large, large}, one), "product of the input scales / output scale is not in [2^-16, 256)");
}

}  // namespace
}  // namespace tflite::webnn
