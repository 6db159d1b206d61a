#include "delegate/builder/graph_builder.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/builder_fixture.h"

namespace tflite::webnn {
namespace {

// A model of one ADD: input [2,3] + constant [3].
class GraphBuilderTest : public BuilderTest {
 protected:
  GraphBuilderTest() {
    TestSubgraph& graph = file_.main();
    input_ = graph.Float({2, 3});
    constant_ = graph.Floats({3}, {1, 2, 3});
    output_ = graph.Float({2, 3});
    graph.Op(BuiltinOperator_ADD, {input_, constant_}, {output_}, AddOptionsT());
    graph.SetInputs({input_});
    graph.SetOutputs({output_});
  }

  int input_, constant_, output_;
};

TEST_F(GraphBuilderTest, EmitsOperatorsWithTheLabelOfTheNode) {
  GraphBuilder& builder = Emit();
  const Operand sum = builder.Binary("add", builder.Tensor(Tensor(input_)), builder.Tensor(Tensor(constant_)));
  builder.SetOutput(Op(0), 0, sum);
  builder.AddOutput(Tensor(output_));
  EXPECT_EQ(builder.rejection(), "");
  EXPECT_EQ(Operators(), "add");
  EXPECT_EQ(graph_.operators[0].label, "0:ADD");
  ASSERT_EQ(graph_.inputs.size(), 1u);
  EXPECT_EQ(graph_.inputs[0].tensor_index, input_);
  ASSERT_EQ(graph_.constants.size(), 1u);
  ASSERT_EQ(graph_.outputs.size(), 1u);
  EXPECT_EQ(graph_.outputs[0].operand.id, sum.id);
  EXPECT_EQ(graph_.outputs[0].tensor_index, output_);
}

TEST_F(GraphBuilderTest, ConstantsOfTheFileAreNotCopied) {
  GraphBuilder& builder = Emit();
  builder.Tensor(Tensor(constant_));
  ASSERT_EQ(graph_.constants.size(), 1u);
  EXPECT_EQ(graph_.constants[0].address, reinterpret_cast<int64_t>(Tensor(constant_).tensor().data.raw));
  EXPECT_TRUE(graph_.unpacked.empty());
}

TEST_F(GraphBuilderTest, TensorIsOneOperand) {
  GraphBuilder& builder = Emit();
  EXPECT_EQ(builder.Tensor(Tensor(input_)).id, builder.Tensor(Tensor(input_)).id);
  EXPECT_EQ(graph_.inputs.size(), 1u);
}

TEST_F(GraphBuilderTest, CheckingEmitsNothingButComesToTheSameShapes) {
  GraphBuilder& builder = Check();
  const Operand sum = builder.Binary("add", builder.Tensor(Tensor(input_)), builder.Tensor(Tensor(constant_)));
  EXPECT_EQ(builder.shape(sum), (std::vector<int>{2, 3}));
  builder.SetOutput(Op(0), 0, sum);
  EXPECT_FALSE(builder.rejected());
  EXPECT_TRUE(graph_.operators.empty());
}

TEST_F(GraphBuilderTest, OperatorsThatTheContextLacksAreRejected) {
  GraphBuilder& builder = Check();
  EXPECT_FALSE(builder.Unary("erf", builder.Tensor(Tensor(input_))).valid());
  EXPECT_EQ(builder.rejection(), "this context has no WebNN operator erf");
}

TEST_F(GraphBuilderTest, OperandsThatTheOperatorLacksAreRejected) {
  GraphBuilder& builder = Check();
  builder.Emit({"add", {{"x", builder.Tensor(Tensor(input_))}}}, {DataType::kFloat32, {2, 3}});
  EXPECT_EQ(builder.rejection(), "WebNN add of this context has no operand 'x'");
}

TEST_F(GraphBuilderTest, TypesOfOperandsAreLimited) {
  limits_text_ = "add.b float16 0 5\n";
  GraphBuilder& builder = Check();
  builder.Binary("add", builder.Tensor(Tensor(input_)), builder.Tensor(Tensor(constant_)));
  EXPECT_EQ(builder.rejection(), "WebNN add: 'b' would be float32, this context accepts float16");
}

TEST_F(GraphBuilderTest, TypesOfResultsAreLimited) {
  limits_text_ = "cast.output float32 0 5\n";
  GraphBuilder& builder = Check();
  builder.Cast(builder.Tensor(Tensor(input_)), DataType::kInt32);
  EXPECT_EQ(builder.rejection(), "WebNN cast: 'output' would be int32, this context accepts float32");
}

TEST_F(GraphBuilderTest, TypesOfOperandsInOptionsAreLimited) {
  limits_text_ = "add.bias int32 0 5\n";
  GraphBuilder& builder = Check();
  const Operand x = builder.Tensor(Tensor(input_));
  builder.Emit({"add", {{"a", x}, {"b", x}}, {}, {{"bias", x}}}, {DataType::kFloat32, {2, 3}});
  EXPECT_EQ(builder.rejection(), "WebNN add: 'bias' would be float32, this context accepts int32");
}

TEST_F(GraphBuilderTest, TypesOfGraphOperandsAreLimited) {
  limits_text_ = "constant int8 0 5\n";
  GraphBuilder& builder = Check();
  EXPECT_TRUE(builder.Tensor(Tensor(input_)).valid());
  EXPECT_FALSE(builder.Tensor(Tensor(constant_)).valid());
  EXPECT_EQ(builder.rejection(), "tensor 1 't1': this context accepts no float32 constants");
}

TEST_F(GraphBuilderTest, RanksAreLimited) {
  limits_text_ = "relu.input float32 3 4\n";
  GraphBuilder& low = Check();
  low.Unary("relu", low.Tensor(Tensor(input_)));
  EXPECT_EQ(low.rejection(), "WebNN relu: 'input' would have rank 2, this context accepts 3 to 4");
  EXPECT_TRUE(low.AcceptsRank("relu", "input", 4));
  EXPECT_FALSE(low.AcceptsRank("relu", "input", 5));
}

TEST_F(GraphBuilderTest, WorkaroundThatLimitsARankCountsAsUsed) {
  workarounds_ = Workaround::kGatherIndices;
  GraphBuilder& builder = Check();
  EXPECT_TRUE(builder.AcceptsRank("gather", "indices", 4));
  EXPECT_FALSE(builder.used_workarounds().Has(Workaround::kGatherIndices));
  EXPECT_FALSE(builder.AcceptsRank("gather", "indices", 5));
  EXPECT_TRUE(builder.used_workarounds().Has(Workaround::kGatherIndices));
  EXPECT_FALSE(builder.WorksAround(Workaround::kGemmNan)) << "the browser does not have that bug";
}

TEST_F(GraphBuilderTest, TensorsBeyondTheLargestAreRejected) {
  limits_text_ = "maxTensorByteLength 23\n";
  GraphBuilder& builder = Check();
  builder.Tensor(Tensor(input_));
  EXPECT_EQ(builder.rejection(), "tensor 0 't0' has 24 bytes, more than this context's maxTensorByteLength");
}

TEST_F(GraphBuilderTest, TensorsWithoutElementsAreRejected) {
  file_.main().tensor(input_).shape = {0, 3};
  GraphBuilder& builder = Check();
  builder.Tensor(Tensor(input_));
  EXPECT_EQ(builder.rejection(), "tensor 0 't0' has shape [0,3]; WebNN needs every dimension known and above 0");
}

TEST_F(GraphBuilderTest, TypesThatWebnnLacksAreRejected) {
  file_.main().tensor(input_).type = TensorType_COMPLEX64;
  GraphBuilder& builder = Check();
  builder.Tensor(Tensor(input_));
  EXPECT_EQ(builder.rejection(), "tensor 0 't0' has type COMPLEX64, which WebNN does not have");
}

TEST_F(GraphBuilderTest, FirstRejectionIsKept) {
  GraphBuilder& builder = Emit();
  const Operand x = builder.Tensor(Tensor(input_));
  EXPECT_FALSE(builder.Reject("first").valid());
  builder.Reject("second");
  EXPECT_FALSE(builder.Unary("relu", x).valid());
  builder.SetOutput(Op(0), 0, x);
  EXPECT_EQ(builder.rejection(), "first");
  EXPECT_EQ(Operators(), "");
}

TEST_F(GraphBuilderTest, NextNodeStartsWithoutRejection) {
  GraphBuilder& builder = Check();
  builder.Reject("it", Workaround::kGemmNan);
  EXPECT_TRUE(builder.used_workarounds().Has(Workaround::kGemmNan));
  builder.BeginNode(Op(0), QuantizedForm::kNone);
  EXPECT_FALSE(builder.rejected());
  EXPECT_FALSE(builder.used_workarounds().Has(Workaround::kGemmNan));
  EXPECT_TRUE(builder.Unary("relu", builder.Tensor(Tensor(input_))).valid());
}

TEST_F(GraphBuilderTest, EveryCallAcceptsEmptyOperandsAfterARejection) {
  GraphBuilder& builder = Emit();
  builder.Reject("it");
  const Operand none;
  const std::vector<int> shape = {2, 3};
  for (const Operand result : {builder.Unary("relu", none),
                               builder.Binary("add", none, none),
                               builder.Compare("equal", none, none),
                               builder.Where(none, none, none),
                               builder.Reshape(none, shape),
                               builder.Transpose(none, {1, 0}),
                               builder.TransposeMerged(none, shape, {1, 0}),
                               builder.Slice(none, {0}, {1}, {1}),
                               builder.Concat({none}, 0),
                               builder.Reverse(none, {0}),
                               builder.Gather(none, none, 0),
                               builder.Gather(none, std::vector<int32_t>{0}, 0),
                               builder.GatherNd(none, none),
                               builder.Cast(none, DataType::kInt32),
                               builder.Clamp(none, 0, 1),
                               builder.Activation(none, kTfLiteActRelu),
                               builder.OutputActivation(Op(0), none, kTfLiteActRelu),
                               builder.Requantize(none, Tensor(output_)),
                               builder.Constant({1}, std::vector<float>{1}),
                               builder.Constant({1}, std::vector<int32_t>{1}),
                               builder.Constant(DataType::kInt8, {1}, {1}),
                               builder.TransposedConstant(Tensor(constant_), {0}),
                               builder.Tensor(Tensor(input_)),
                               builder.Elements(Tensor(input_)),
                               builder.RawTensor(Tensor(input_)),
                               builder.Bias(Op(0), 1, Tensor(input_), Tensor(constant_), 3)}) {
    EXPECT_FALSE(result.valid());
  }
  for (const Operand result : builder.EmitMany({"split", {{"input", none}}}, {{}, {}})) EXPECT_FALSE(result.valid());
  builder.SetOutput(Op(0), 0, none);
  builder.SetState(Tensor(output_), none);
  EXPECT_EQ(Operators(), "");
  EXPECT_TRUE(graph_.inputs.empty());
  EXPECT_TRUE(graph_.constants.empty());
  EXPECT_EQ(builder.rejection(), "it");
}

TEST_F(GraphBuilderTest, LargeTablesAreRejected) {
  EXPECT_TRUE(Check().CanMake(1 << 24));
  GraphBuilder& builder = Check();
  EXPECT_FALSE(builder.CanMake((1 << 24) + 1));
  EXPECT_EQ(builder.rejection(), "WebNN needs a table of 16777217 elements for it");
}

TEST_F(GraphBuilderTest, TablesOfAllCheckedNodesAreLimitedTogether) {
  GraphBuilder& builder = Check();
  EXPECT_TRUE(builder.CanMake(1 << 24));
  builder.BeginNode(Op(0), QuantizedForm::kNone);
  EXPECT_TRUE(builder.CanMake(1 << 16)) << "small ones do not count";
  EXPECT_FALSE(builder.CanMake((1 << 16) + 1));
}

TEST_F(GraphBuilderTest, EmittingMakesWhatTheCheckAllowed) {
  GraphBuilder& builder = Emit();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(builder.CanMake(1 << 24)) << i;
}

TEST_F(GraphBuilderTest, OutputsOfAnotherShapeAreRejected) {
  GraphBuilder& builder = Check();
  builder.SetOutput(Op(0), 0, builder.Tensor(Tensor(constant_)));
  EXPECT_EQ(builder.rejection(), "WebNN returns float32[3], but tensor 2 't2' is float32[2,3]");
}

TEST_F(GraphBuilderTest, OutputsOfAnotherTypeAreRejected) {
  GraphBuilder& builder = Check();
  builder.SetOutput(Op(0), 0, builder.Cast(builder.Tensor(Tensor(input_)), DataType::kInt32));
  EXPECT_EQ(builder.rejection(), "WebNN returns int32[2,3], but tensor 2 't2' is float32[2,3]");
}

TEST_F(GraphBuilderTest, InputThatIsAlsoAnOutputBecomesAnIdentity) {
  GraphBuilder& builder = Emit();
  builder.SetOutput(Op(0), 0, builder.Tensor(Tensor(input_)));
  builder.AddOutput(Tensor(output_));
  EXPECT_EQ(Operators(), "identity");
  EXPECT_EQ(graph_.operators[0].label, "output:2");
}

TEST_F(GraphBuilderTest, OutputsThatNoNodeProducesAreRejected) {
  GraphBuilder& builder = Emit();
  builder.AddOutput(Tensor(output_));
  EXPECT_EQ(builder.rejection(), "no node of the partition produces tensor 2 't2'");
}

TEST_F(GraphBuilderTest, StateIsAnInputAndAnOutput) {
  GraphBuilder& builder = Emit();
  const Operand state = builder.StateTensor(Tensor(input_));
  builder.SetState(Tensor(input_), builder.Unary("relu", state));
  builder.AddStateOutputs();
  ASSERT_EQ(graph_.outputs.size(), 1u);
  EXPECT_EQ(graph_.outputs[0].tensor_index, input_);
  EXPECT_EQ(graph_.inputs[0].tensor_index, input_);
}

TEST_F(GraphBuilderTest, EmptyOperandIsANumber) {
  EXPECT_EQ(Check().descriptor(Operand()), (OperandDescriptor{DataType::kFloat32, {}}));
}

// What the DCHECKs hold. Each ends the program, so test_unit.py runs it alone.
TEST_F(GraphBuilderTest, DISABLED_OperatorOfAnEmptyOperand) { Check().Unary("relu", Operand()); }
TEST_F(GraphBuilderTest, DISABLED_ShapeOfAnUnknownOperand) { Check().shape(Operand{7}); }
TEST_F(GraphBuilderTest, DISABLED_TensorOfAnIndexBeyondTheModel) { Tensor(99).type(); }
TEST_F(GraphBuilderTest, DISABLED_DimensionBeyondTheRank) { Tensor(input_).dim(2); }
TEST_F(GraphBuilderTest, DISABLED_DimensionOfAScalar) {
  file_.main().tensor(input_).shape = {};
  Tensor(input_).dim(-1);
}
TEST_F(GraphBuilderTest, DISABLED_InputBeyondTheNodes) { Op(0).input(2); }
TEST_F(GraphBuilderTest, DISABLED_OutputBeyondTheNodes) { Op(0).output(1); }
TEST_F(GraphBuilderTest, DISABLED_ParametersOfANodeWithoutOptions) {
  file_.main().Op(BuiltinOperator_RELU, {output_}, {output_});
  Op(1).params<TfLiteAddParams>();
}
TEST_F(GraphBuilderTest, DISABLED_ReshapeToAnotherElementCount) {
  GraphBuilder& builder = Check();
  builder.Reshape(builder.Tensor(Tensor(input_)), {5});
}
TEST_F(GraphBuilderTest, DISABLED_FloatConstantOfAnotherElementCount) {
  Check().Constant({3}, std::vector<float>{1, 2});
}
TEST_F(GraphBuilderTest, DISABLED_IntegerConstantOfAnotherElementCount) {
  Check().Constant({3}, std::vector<int32_t>{1, 2});
}
TEST_F(GraphBuilderTest, DISABLED_ConstantOfATypeOfAnotherElementCount) { Check().Constant(DataType::kInt8, {3}, {1}); }

}  // namespace
}  // namespace tflite::webnn
