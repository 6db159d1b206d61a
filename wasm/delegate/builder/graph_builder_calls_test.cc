// The shapes of the frequent calls, and what they reject.
#include <gtest/gtest.h>

#include "delegate/builder/graph_builder.h"
#include "tests/unit/builder_fixture.h"

namespace tflite::webnn {
namespace {

using Shape = std::vector<int>;

class GraphBuilderCallsTest : public BuilderTest {
 protected:
  GraphBuilderCallsTest() {
    const int input = file_.main().Float({1});
    const int output = file_.main().Float({1});
    file_.main().Op(BuiltinOperator_RELU, {input}, {output});
    file_.main().SetInputs({input});
    file_.main().SetOutputs({output});
  }

  // An operand of this type and shape.
  static Operand Of(GraphBuilder& builder, DataType type, const Shape& shape) {
    const auto count = static_cast<size_t>(OperandDescriptor{type, shape}.element_count());
    return builder.Constant(type, shape, std::vector<int64_t>(count, 0));
  }
  static Operand Floats(GraphBuilder& builder, const Shape& shape) { return Of(builder, DataType::kFloat32, shape); }
};

TEST_F(GraphBuilderCallsTest, BinaryBroadcastsAsNumpyDoes) {
  GraphBuilder& builder = Check();
  const auto shape = [&](const Shape& a, const Shape& b) {
    return builder.shape(builder.Binary("add", Floats(builder, a), Floats(builder, b)));
  };
  EXPECT_EQ(shape({2, 3}, {3}), (Shape{2, 3}));
  EXPECT_EQ(shape({}, {2}), (Shape{2}));
  EXPECT_EQ(shape({4, 1, 3}, {2, 1}), (Shape{4, 2, 3}));
}

TEST_F(GraphBuilderCallsTest, ShapesThatDoNotBroadcastAreRejected) {
  GraphBuilder& builder = Check();
  builder.Binary("add", Floats(builder, {2, 3}), Floats(builder, {2}));
  EXPECT_EQ(builder.rejection(), "WebNN add: shapes [2,3] and [2] cannot be broadcast");
}

TEST_F(GraphBuilderCallsTest, OperandsOfTwoTypesAreRejected) {
  GraphBuilder& builder = Check();
  builder.Binary("add", Floats(builder, {2}), Of(builder, DataType::kInt32, {2}));
  EXPECT_EQ(builder.rejection(), "WebNN add needs both operands of one type, found float32 and int32");
}

TEST_F(GraphBuilderCallsTest, AxesBeyondTheRankAreMerged) {
  limits_text_ = "add.output float32 0 3\n";
  GraphBuilder& builder = Emit();
  const Operand sum = builder.Binary("add", Floats(builder, {2, 3, 4, 5}), Floats(builder, {4, 1}));
  EXPECT_EQ(builder.rejection(), "");
  EXPECT_EQ(builder.shape(sum), (Shape{2, 3, 4, 5}));
  EXPECT_EQ(Operators(), "reshape reshape add reshape");
  const WebnnGraph::Operator& add = graph_.operators[2];
  EXPECT_EQ(builder.shape(std::get<Operand>(add.arguments[0])), (Shape{6, 4, 5}));
  EXPECT_EQ(builder.shape(std::get<Operand>(add.arguments[1])), (Shape{1, 4, 1}));
}

TEST_F(GraphBuilderCallsTest, ComparisonsAreUint8) {
  GraphBuilder& builder = Check();
  const Operand result = builder.Compare("equal", Floats(builder, {2, 1}), Floats(builder, {3}));
  EXPECT_EQ(builder.descriptor(result), (OperandDescriptor{DataType::kUint8, {2, 3}}));
}

TEST_F(GraphBuilderCallsTest, WhereWithoutUint8GoesThroughInt32) {
  limits_text_ = "where.trueValue float32,int32 0 5\n";
  GraphBuilder& builder = Emit();
  const Operand booleans = Of(builder, DataType::kUint8, {2});
  const Operand result = builder.Where(booleans, booleans, booleans);
  EXPECT_EQ(builder.descriptor(result).data_type, DataType::kUint8);
  EXPECT_EQ(Operators(), "cast cast where cast");
}

TEST_F(GraphBuilderCallsTest, ConditionThatDoesNotBroadcastIsRejected) {
  GraphBuilder& builder = Check();
  const Operand x = Floats(builder, {2});
  builder.Where(Of(builder, DataType::kUint8, {3}), x, x);
  EXPECT_EQ(builder.rejection(), "WebNN where: the condition [3] cannot be broadcast to [2]");
}

TEST_F(GraphBuilderCallsTest, ReshapeToTheSameShapeIsNoOperator) {
  GraphBuilder& builder = Emit();
  const Operand x = Floats(builder, {2, 3});
  EXPECT_EQ(builder.Reshape(x, {2, 3}).id, x.id);
  EXPECT_EQ(builder.shape(builder.Reshape(x, {6})), (Shape{6}));
  EXPECT_EQ(Operators(), "reshape");
}

TEST_F(GraphBuilderCallsTest, SliceHasTheShapeOfItsStrides) {
  GraphBuilder& builder = Emit();
  const Operand x = Floats(builder, {5, 4});
  EXPECT_EQ(builder.shape(builder.Slice(x, {1, 0}, {4, 3}, {2, 1})), (Shape{2, 3}));
  ASSERT_EQ(graph_.operators.size(), 1u);
  ASSERT_EQ(graph_.operators[0].options.size(), 1u);
  EXPECT_STREQ(graph_.operators[0].options[0].name, "strides");
  builder.Slice(x, {0, 0}, {5, 4}, {1, 1});
  EXPECT_TRUE(graph_.operators[1].options.empty()) << "strides of 1 are the default";
}

TEST_F(GraphBuilderCallsTest, SlicesBeyondTheOperandAreRejected) {
  struct {
    Shape starts, sizes, strides;
  } const slices[] = {{{0}, {6}, {1}}, {{-1}, {2}, {1}}, {{4}, {2}, {1}}, {{0}, {0}, {1}}, {{0, 0}, {1, 1}, {1, 1}}};
  for (const auto& slice : slices) {
    GraphBuilder& builder = Check();
    EXPECT_FALSE(builder.Slice(Floats(builder, {5}), slice.starts, slice.sizes, slice.strides).valid());
    EXPECT_TRUE(builder.rejected()) << ShapeText(slice.starts) << ShapeText(slice.sizes);
  }
}

TEST_F(GraphBuilderCallsTest, ConcatAddsTheSizesOfItsAxis) {
  GraphBuilder& builder = Check();
  const Operand a = Floats(builder, {2, 3}), b = Floats(builder, {2, 4});
  EXPECT_EQ(builder.shape(builder.Concat({a, b}, 1)), (Shape{2, 7}));
  builder.Concat({a, b}, 2);
  EXPECT_EQ(builder.rejection(), "axis 2 does not exist");
}

TEST_F(GraphBuilderCallsTest, ConcatOfTwoRanksIsRejected) {
  GraphBuilder& builder = Check();
  builder.Concat({Floats(builder, {2, 3}), Floats(builder, {2})}, 0);
  EXPECT_EQ(builder.rejection(), "operands of different ranks cannot be concatenated");
}

TEST_F(GraphBuilderCallsTest, ReverseOfTypesThatWebnnDoesNotReverseGathers) {
  limits_text_ = "reverse.input float32 0 5\n";
  GraphBuilder& builder = Emit();
  builder.Reverse(Floats(builder, {3}), {0});
  builder.Reverse(Of(builder, DataType::kInt64, {3}), {0});
  EXPECT_EQ(Operators(), "reverse gather");
  EXPECT_EQ(Content<int32_t>(graph_.constants.back()), (std::vector<int32_t>{2, 1, 0}));
}

TEST_F(GraphBuilderCallsTest, ReversedAxesMustBeDistinctAxes) {
  for (const Shape& axes : {Shape{0, 0}, Shape{2}, Shape{-1}}) {
    GraphBuilder& builder = Check();
    builder.Reverse(Floats(builder, {2, 3}), axes);
    EXPECT_TRUE(builder.rejected()) << ShapeText(axes);
  }
}

TEST_F(GraphBuilderCallsTest, GatherReplacesTheAxisByTheIndices) {
  GraphBuilder& builder = Check();
  const Operand x = Floats(builder, {2, 3, 4});
  EXPECT_EQ(builder.shape(builder.Gather(x, Of(builder, DataType::kInt32, {5, 6}), 1)), (Shape{2, 5, 6, 4}));
  EXPECT_EQ(builder.shape(builder.Gather(x, Of(builder, DataType::kInt32, {}), 0)), (Shape{3, 4}));
}

TEST_F(GraphBuilderCallsTest, GatherFlattensIndicesOfTooManyAxes) {
  limits_text_ = "gather.indices int32 0 1\ngatherND.indices int32 0 2\n";
  GraphBuilder& builder = Emit();
  const Operand x = Floats(builder, {2, 3});
  EXPECT_EQ(builder.shape(builder.Gather(x, Of(builder, DataType::kInt32, {5, 6}), 0)), (Shape{5, 6, 3}));
  EXPECT_EQ(Operators(), "reshape gather reshape");
  EXPECT_EQ(builder.shape(builder.GatherNd(x, Of(builder, DataType::kInt32, {5, 6, 1}))), (Shape{5, 6, 3}));
  EXPECT_EQ(Operators(), "reshape gather reshape reshape gatherND reshape");
}

TEST_F(GraphBuilderCallsTest, TransposeMovesAxes) {
  GraphBuilder& builder = Check();
  EXPECT_EQ(builder.shape(builder.Transpose(Floats(builder, {2, 3, 4}), {2, 0, 1})), (Shape{4, 2, 3}));
}

TEST_F(GraphBuilderCallsTest, PermutationsMustHaveEachAxisOnce) {
  for (const Shape& permutation : {Shape{0, 0}, Shape{0}, Shape{0, 2}, Shape{-1, 0}}) {
    GraphBuilder& builder = Check();
    builder.Transpose(Floats(builder, {2, 3}), permutation);
    EXPECT_TRUE(builder.rejected()) << ShapeText(permutation);
  }
}

TEST_F(GraphBuilderCallsTest, CastToTheSameTypeIsNoOperator) {
  GraphBuilder& builder = Emit();
  const Operand x = Floats(builder, {2});
  EXPECT_EQ(builder.Cast(x, DataType::kFloat32).id, x.id);
  EXPECT_EQ(builder.descriptor(builder.Cast(x, DataType::kInt8)).data_type, DataType::kInt8);
  EXPECT_EQ(Operators(), "cast");
}

TEST_F(GraphBuilderCallsTest, ActivationsAreWebnnOperators) {
  GraphBuilder& builder = Emit();
  const Operand x = Floats(builder, {2});
  EXPECT_EQ(builder.Activation(x, kTfLiteActNone).id, x.id);
  builder.Activation(x, kTfLiteActRelu);
  builder.Activation(x, kTfLiteActRelu6);
  EXPECT_EQ(Operators(), "relu clamp");
  EXPECT_EQ(std::get<float>(graph_.operators[1].options[0].value), 0.0f);
  EXPECT_EQ(std::get<float>(graph_.operators[1].options[1].value), 6.0f);
}

TEST_F(GraphBuilderCallsTest, ActivationsThatKernelsIgnoreAreRejected) {
  GraphBuilder& builder = Check();
  builder.Activation(Floats(builder, {2}), kTfLiteActTanh);
  EXPECT_TRUE(builder.rejected());
}

TEST_F(GraphBuilderCallsTest, ConstantsHaveTheirValuesInTheirType) {
  GraphBuilder& builder = Emit();
  builder.Constant({2}, std::vector<float>{0.5f, -1});
  builder.Constant(DataType::kInt64, {2}, {-1, 1});
  builder.Constant(DataType::kUint8, {2}, {255, 1});
  ASSERT_EQ(graph_.constants.size(), 3u);
  EXPECT_EQ(Content<float>(graph_.constants[0]), (std::vector<float>{0.5f, -1}));
  EXPECT_EQ(Content<int64_t>(graph_.constants[1]), (std::vector<int64_t>{-1, 1}));
  EXPECT_EQ(Content<uint8_t>(graph_.constants[2]), (std::vector<uint8_t>{255, 1}));
}

TEST_F(GraphBuilderCallsTest, SplitHasSeveralOutputs) {
  GraphBuilder& builder = Emit();
  const OperandDescriptor half{DataType::kFloat32, {1, 3}};
  const auto parts = builder.EmitMany({"split", {{"input", Floats(builder, {2, 3})}}, {2}}, {half, half});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_NE(parts[0].id, parts[1].id);
  EXPECT_EQ(graph_.operators[0].outputs.size(), 2u);
}

}  // namespace
}  // namespace tflite::webnn
