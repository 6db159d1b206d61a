#include "delegate/graph/op_support_limits.h"

#include <gtest/gtest.h>

namespace tflite::webnn {
namespace {

OpSupportLimits Parsed(std::string_view text) {
  const auto limits = OpSupportLimits::Parse(text);
  EXPECT_TRUE(limits.ok()) << limits.status.ToJson();
  return limits.value_or(OpSupportLimits());
}

std::string ErrorOf(std::string_view text) {
  const auto limits = OpSupportLimits::Parse(text);
  EXPECT_FALSE(limits.ok()) << text;
  return limits.ok() ? "" : limits.status.message();
}

TEST(OpSupportLimitsTest, ReadsTypesAndRanksOfOperands) {
  const OpSupportLimits limits = Parsed("conv2d.input float32,float16 4 5\nconv2d.filter int8 4 4\n");
  const OperandLimits* input = limits.Find("conv2d", "input");
  ASSERT_NE(input, nullptr);
  EXPECT_TRUE(input->Accepts(DataType::kFloat32));
  EXPECT_TRUE(input->Accepts(DataType::kFloat16));
  EXPECT_FALSE(input->Accepts(DataType::kInt8));
  EXPECT_EQ(input->min_rank, 4);
  EXPECT_EQ(input->max_rank, 5);
  EXPECT_EQ(input->DataTypesText(), "float32, float16");
  EXPECT_EQ(limits.Find("conv2d", "filter")->DataTypesText(), "int8");
}

TEST(OpSupportLimitsTest, LacksOtherOperatorsAndOperands) {
  const OpSupportLimits limits = Parsed("reduceL2.input float32 0 8\nconv2d.input float32 4 4");
  EXPECT_EQ(limits.Find("conv2d", "bias"), nullptr);
  EXPECT_EQ(limits.Find("conv", "input"), nullptr);
  EXPECT_TRUE(limits.HasOperator("conv2d"));
  EXPECT_FALSE(limits.HasOperator("conv")) << "a prefix is not the operator";
  EXPECT_FALSE(limits.HasOperator("reduceL1"));
  EXPECT_FALSE(limits.HasOperator("zeros"));
}

TEST(OpSupportLimitsTest, ReadsOperandsOfTheGraph) {
  const OpSupportLimits limits = Parsed("input float32 0 8\nconstant int8 0 8\noutput uint8 0 8\n");
  EXPECT_TRUE(limits.FindGraphOperand("input")->Accepts(DataType::kFloat32));
  EXPECT_TRUE(limits.FindGraphOperand("constant")->Accepts(DataType::kInt8));
  EXPECT_TRUE(limits.FindGraphOperand("output")->Accepts(DataType::kUint8));
  EXPECT_EQ(limits.FindGraphOperand("other"), nullptr);
}

TEST(OpSupportLimitsTest, ReadsTheLargestTensor) {
  EXPECT_EQ(Parsed("maxTensorByteLength 2147483647\n").max_tensor_size_bytes(), 2147483647u);
  EXPECT_EQ(Parsed("").max_tensor_size_bytes(), UINT32_MAX) << "without the line";
}

TEST(OpSupportLimitsTest, IgnoresUnknownTypesTheLayoutAndEmptyLines) {
  const OpSupportLimits limits = Parsed("\npreferredInputLayout nchw\n\nadd.a int4,float32,complex64 0 8\n");
  EXPECT_EQ(limits.Find("add", "a")->DataTypesText(), "float32");
}

TEST(OpSupportLimitsTest, MalformedLinesAreQuoted) {
  EXPECT_EQ(ErrorOf("input float32 0 8\nadd.a float32 0"), "opSupportLimits: cannot read the line 'add.a float32 0'");
  for (const char* line : {"add.a", "add.a float32 0 8 9", "add.a float32 x 8", "add.a float32 0 8x",
                           "add.a float32 0 99999999999", "maxTensorByteLength", "maxTensorByteLength -1",
                           "maxTensorByteLength 1 2", "maxTensorByteLength 99999999999999999999"}) {
    EXPECT_NE(ErrorOf(line).find(line), std::string::npos);
  }
}

TEST(OpSupportLimitsTest, WorkaroundsLowerRanks) {
  OpSupportLimits limits = Parsed("concat.inputs float32 0 8\ngather.indices int32 0 8\nreduceSum.input float32 0 5\n");
  Workarounds workarounds(Workaround::kConcatRank);
  workarounds.Add(Workaround::kReductionRank);
  limits.WorkAround(workarounds);
  EXPECT_TRUE(limits.workarounds().Has(Workaround::kConcatRank));
  EXPECT_EQ(limits.Find("concat", "inputs")->max_rank, 6);
  EXPECT_TRUE(limits.Find("concat", "inputs")->limited_by.Has(Workaround::kConcatRank));
  EXPECT_EQ(limits.Find("gather", "indices")->max_rank, 8) << "its bug is not worked around";
  const OperandLimits& sum = *limits.Find("reduceSum", "input");
  EXPECT_EQ(sum.max_rank, 5) << "the context promises less than the bug leaves";
  EXPECT_FALSE(sum.limited_by.Has(Workaround::kReductionRank));
}

}  // namespace
}  // namespace tflite::webnn
