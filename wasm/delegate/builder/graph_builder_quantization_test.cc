// Quantized tensors in the fused form and in float.
#include <gtest/gtest.h>

#include "delegate/builder/graph_builder.h"
#include "tests/unit/builder_fixture.h"

namespace tflite::webnn {
namespace {

// A model of one ADD of int8 tensors: input [2] with scale 0.5 and zero point 3, a constant, an output.
class GraphBuilderQuantizationTest : public BuilderTest {
 protected:
  GraphBuilderQuantizationTest() {
    TestSubgraph& graph = file_.main();
    input_ = graph.Quantized(TensorType_INT8, {2}, 0.5f, 3);
    constant_ = graph.Constant<int8_t>(TensorType_INT8, {2}, {5, -1});
    SetQuantization(constant_, {0.25f}, {1});
    output_ = graph.Quantized(TensorType_INT8, {2}, 1.0f, -2);
    graph.Op(BuiltinOperator_ADD, {input_, constant_}, {output_}, AddOptionsT());
    graph.SetInputs({input_});
    graph.SetOutputs({output_});
  }

  void SetQuantization(int tensor, std::vector<float> scales, std::vector<int64_t> zero_points, int dimension = 0) {
    auto quantization = std::make_unique<QuantizationParametersT>();
    quantization->scale = std::move(scales);
    quantization->zero_point = std::move(zero_points);
    quantization->quantized_dimension = dimension;
    file_.main().tensor(tensor).quantization = std::move(quantization);
  }
  // The content of an operator's operand, which must be a constant.
  template <typename T>
  std::vector<T> OperandOf(const WebnnGraph::Operator& node, int argument) {
    const int id = std::get<Operand>(node.arguments[argument]).id;
    for (const auto& constant : graph_.constants) {
      if (constant.operand.id == id) return Content<T>(constant);
    }
    ADD_FAILURE() << "operand " << argument << " is no constant";
    return {};
  }

  int input_, constant_, output_;
};

TEST_F(GraphBuilderQuantizationTest, InputIsDequantizedOnce) {
  GraphBuilder& builder = Emit(QuantizedForm::kFused);
  const Operand x = builder.Tensor(Tensor(input_));
  EXPECT_EQ(builder.Tensor(Tensor(input_)).id, x.id);
  EXPECT_EQ(builder.descriptor(x), (OperandDescriptor{DataType::kFloat32, {2}}));
  ASSERT_EQ(Operators(), "dequantizeLinear");
  EXPECT_EQ(graph_.inputs[0].descriptor.data_type, DataType::kInt8);
  EXPECT_EQ(OperandOf<float>(graph_.operators[0], 1), std::vector<float>{0.5f});
  EXPECT_EQ(OperandOf<int8_t>(graph_.operators[0], 2), std::vector<int8_t>{3});
}

TEST_F(GraphBuilderQuantizationTest, OutputIsQuantized) {
  GraphBuilder& builder = Emit(QuantizedForm::kFused);
  const Operand sum = builder.Binary("add", builder.Tensor(Tensor(input_)), builder.Tensor(Tensor(constant_)));
  builder.SetOutput(Op(0), 0, sum);
  builder.AddOutput(Tensor(output_));
  EXPECT_EQ(builder.rejection(), "");
  EXPECT_EQ(Operators(), "dequantizeLinear dequantizeLinear add quantizeLinear");
  EXPECT_EQ(graph_.outputs[0].descriptor.data_type, DataType::kInt8);
  EXPECT_FALSE(graph_.outputs[0].widened_int16);
  EXPECT_EQ(OperandOf<float>(graph_.operators[3], 1), std::vector<float>{1.0f});
  EXPECT_EQ(OperandOf<int8_t>(graph_.operators[3], 2), std::vector<int8_t>{-2});
}

TEST_F(GraphBuilderQuantizationTest, FloatFormHasConstantsInFloat) {
  GraphBuilder& builder = Emit(QuantizedForm::kFloat);
  builder.Tensor(Tensor(constant_));
  EXPECT_EQ(Operators(), "");
  ASSERT_EQ(graph_.constants.size(), 1u);
  EXPECT_EQ(graph_.constants[0].descriptor.data_type, DataType::kFloat32);
  EXPECT_EQ(Content<float>(graph_.constants[0]), (std::vector<float>{1.0f, -0.5f}));
}

TEST_F(GraphBuilderQuantizationTest, ScalesOfChannelsHaveTheRankOfTheTensor) {
  TestSubgraph& graph = file_.main();
  const int filter = graph.Constant<int8_t>(TensorType_INT8, {1, 3}, {1, 2, 3});
  SetQuantization(filter, {1, 2, 4}, {0, 0, 0}, 1);
  GraphBuilder& builder = Emit(QuantizedForm::kFused);
  builder.Tensor(Tensor(filter));
  EXPECT_EQ(builder.rejection(), "");
  const Operand scale = std::get<Operand>(graph_.operators[0].arguments[1]);
  EXPECT_EQ(builder.shape(scale), (std::vector<int>{1, 3}));
  EXPECT_EQ(OperandOf<float>(graph_.operators[0], 1), (std::vector<float>{1, 2, 4}));
}

TEST_F(GraphBuilderQuantizationTest, FloatFormScalesEachChannel) {
  const int filter = file_.main().Constant<int8_t>(TensorType_INT8, {2, 2}, {1, 2, 3, 4});
  SetQuantization(filter, {1, 10}, {0, 0}, 1);
  GraphBuilder& builder = Emit(QuantizedForm::kFloat);
  builder.Tensor(Tensor(filter));
  EXPECT_EQ(Content<float>(graph_.constants[0]), (std::vector<float>{1, 20, 3, 40}));
}

TEST_F(GraphBuilderQuantizationTest, FloatFormSubtractsTheZeroPointOfEachChannel) {
  const int filter = file_.main().Constant<int8_t>(TensorType_INT8, {2, 2}, {1, 2, 3, 4});
  SetQuantization(filter, {1, 10}, {1, -2}, 1);
  GraphBuilder& builder = Emit(QuantizedForm::kFloat);
  builder.Tensor(Tensor(filter));
  EXPECT_EQ(Content<float>(graph_.constants[0]), (std::vector<float>{0, 40, 2, 60}));
}

TEST_F(GraphBuilderQuantizationTest, TransposedConstantKeepsTheScalesOfItsAxis) {
  const int filter = file_.main().Constant<int8_t>(TensorType_INT8, {2, 3}, {1, 2, 3, 4, 5, 6});
  SetQuantization(filter, {1, 10}, {0, 0}, 0);
  GraphBuilder& in_float = Emit(QuantizedForm::kFloat);
  in_float.TransposedConstant(Tensor(filter), {1, 0});
  EXPECT_EQ(Content<float>(graph_.constants[0]), (std::vector<float>{1, 40, 2, 50, 3, 60}));
  graph_ = WebnnGraph();
  GraphBuilder& fused = Emit(QuantizedForm::kFused);
  fused.TransposedConstant(Tensor(filter), {1, 0});
  EXPECT_EQ(OperandOf<int8_t>(graph_.operators[0], 0), (std::vector<int8_t>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(fused.shape(std::get<Operand>(graph_.operators[0].arguments[1])), (std::vector<int>{1, 2}));
}

TEST_F(GraphBuilderQuantizationTest, MovedValuesKeepTheirScale) {
  GraphBuilder& builder = Emit(QuantizedForm::kFused);
  builder.Slice(builder.Tensor(Tensor(input_)), {0}, {1}, {1});
  ASSERT_EQ(Operators(), "dequantizeLinear slice quantizeLinear dequantizeLinear");
  EXPECT_EQ(OperandOf<float>(graph_.operators[2], 1), std::vector<float>{0.5f});
}

TEST_F(GraphBuilderQuantizationTest, FloatFormDoesNotRequantizeMovedValues) {
  GraphBuilder& builder = Emit(QuantizedForm::kFloat);
  builder.Slice(builder.Tensor(Tensor(input_)), {0}, {1}, {1});
  EXPECT_EQ(Operators(), "dequantizeLinear slice");
}

TEST_F(GraphBuilderQuantizationTest, OutputWithTheSameParametersIsTheInputsIntegers) {
  SetQuantization(output_, {0.5f}, {3});
  GraphBuilder& builder = Emit(QuantizedForm::kFused);
  builder.SetOutput(Op(0), 0, builder.Tensor(Tensor(input_)));
  EXPECT_EQ(Operators(), "dequantizeLinear") << "no second quantizeLinear";
}

TEST_F(GraphBuilderQuantizationTest, RawTensorHasTheIntegers) {
  GraphBuilder& builder = Emit(QuantizedForm::kFloat);
  EXPECT_EQ(builder.descriptor(builder.RawTensor(Tensor(input_))).data_type, DataType::kInt8);
  EXPECT_EQ(Operators(), "");
}

TEST_F(GraphBuilderQuantizationTest, ActivationThatTheIntegersImplyIsLeftOut) {
  // -128..127 at scale 1/64 from zero point -128 is 0..3.98.
  SetQuantization(output_, {1.0f / 64}, {-128});
  GraphBuilder& builder = Emit(QuantizedForm::kFused);
  const Operand x = builder.Binary("add", builder.Tensor(Tensor(input_)), builder.Tensor(Tensor(constant_)));
  EXPECT_EQ(builder.OutputActivation(Op(0), x, kTfLiteActRelu).id, x.id);
  EXPECT_NE(builder.OutputActivation(Op(0), x, kTfLiteActReluN1To1).id, x.id);
}

TEST_F(GraphBuilderQuantizationTest, Int16IsInt32AtTheBoundary) {
  file_.main().tensor(input_).type = TensorType_INT16;
  file_.main().tensor(output_).type = TensorType_INT16;
  SetQuantization(input_, {0.5f}, {0});
  SetQuantization(output_, {0.25f}, {0});
  GraphBuilder& builder = Emit(QuantizedForm::kFloat);
  builder.SetOutput(Op(0), 0, builder.Tensor(Tensor(input_)));
  builder.AddOutput(Tensor(output_));
  EXPECT_EQ(builder.rejection(), "");
  EXPECT_EQ(Operators(), "cast mul clamp div roundEven clamp cast");
  EXPECT_EQ(graph_.inputs[0].descriptor.data_type, DataType::kInt32);
  EXPECT_EQ(graph_.outputs[0].descriptor.data_type, DataType::kInt32);
  EXPECT_TRUE(graph_.outputs[0].widened_int16);
}

TEST_F(GraphBuilderQuantizationTest, Int16WithAZeroPointIsRejected) {
  file_.main().tensor(input_).type = TensorType_INT16;
  GraphBuilder& builder = Check(QuantizedForm::kFloat);
  builder.Tensor(Tensor(input_));
  EXPECT_EQ(builder.rejection(), "tensor 0 't0' is int16 with a zero point, or with several scales");
}

TEST_F(GraphBuilderQuantizationTest, NegativeScalesAreRejected) {
  SetQuantization(constant_, {-1}, {0});
  for (const QuantizedForm form : {QuantizedForm::kFused, QuantizedForm::kFloat}) {
    GraphBuilder& builder = Check(form);
    EXPECT_FALSE(builder.Tensor(Tensor(constant_)).valid());
    EXPECT_EQ(builder.rejection().find("tensor 1 't1' "), 0u) << builder.rejection();
  }
}

TEST_F(GraphBuilderQuantizationTest, DeepTensorsAreQuantizedFlat) {
  limits_text_ =
      "quantizeLinear.output int8 0 1\ndequantizeLinear.output float32 0 1\ndequantizeLinear.input int8 0 1\n"
      "dequantizeLinear.zeroPoint int8 0 1\nquantizeLinear.zeroPoint int8 0 1\n";
  file_.main().tensor(input_).shape = {1, 2};
  file_.main().tensor(output_).shape = {1, 2};
  GraphBuilder& builder = Emit(QuantizedForm::kFloat);
  EXPECT_TRUE(builder.HasAnyShape(Tensor(input_)));
  EXPECT_EQ(builder.shape(builder.Elements(Tensor(input_))), (std::vector<int>{2}));
  EXPECT_EQ(builder.shape(builder.Tensor(Tensor(input_))), (std::vector<int>{1, 2}));
  builder.SetOutput(Op(0), 0, builder.Tensor(Tensor(input_)));
  EXPECT_EQ(builder.rejection(), "");
  EXPECT_EQ(Operators(), "reshape dequantizeLinear reshape reshape reshape quantizeLinear");
}

}  // namespace
}  // namespace tflite::webnn
