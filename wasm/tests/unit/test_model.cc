#include "tests/unit/test_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "delegate/model/op_name.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/version.h"
#include "tflite_kernels/op_resolver.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {

int TestSubgraph::Tensor(TensorType type, const std::vector<int>& shape) {
  auto tensor = std::make_unique<TensorT>();
  tensor->type = type;
  tensor->shape = shape;
  tensor->has_rank = true;
  tensor->name = "t" + std::to_string(graph_.tensors.size());
  graph_.tensors.push_back(std::move(tensor));
  return static_cast<int>(graph_.tensors.size()) - 1;
}

int TestSubgraph::Quantized(TensorType type, const std::vector<int>& shape, float scale, int64_t zero_point) {
  const int index = Tensor(type, shape);
  tensor(index).quantization = std::make_unique<QuantizationParametersT>();
  tensor(index).quantization->scale = {scale};
  tensor(index).quantization->zero_point = {zero_point};
  return index;
}

void TestSubgraph::SetContent(int tensor, std::vector<uint8_t> bytes) {
  auto buffer = std::make_unique<BufferT>();
  buffer->data = std::move(bytes);
  this->tensor(tensor).buffer = static_cast<uint32_t>(model_.model().buffers.size());
  model_.model().buffers.push_back(std::move(buffer));
}

int TestSubgraph::Op(BuiltinOperator op, std::vector<int> inputs, std::vector<int> outputs) {
  auto& codes = model_.model().operator_codes;
  const auto found =
      std::find_if(codes.begin(), codes.end(), [op](const auto& code) { return code->builtin_code == op; });
  const auto index = static_cast<uint32_t>(found - codes.begin());
  if (found == codes.end()) {
    auto code = std::make_unique<OperatorCodeT>();
    code->builtin_code = op;
    code->version = FindOpInfo(op, nullptr)->min_version;
    code->deprecated_builtin_code = static_cast<int8_t>(std::min<int>(op, 127));
    codes.push_back(std::move(code));
  }
  auto node = std::make_unique<OperatorT>();
  node->opcode_index = index;
  node->inputs = std::move(inputs);
  node->outputs = std::move(outputs);
  graph_.operators.push_back(std::move(node));
  return static_cast<int>(graph_.operators.size()) - 1;
}

int TestSubgraph::Composite(std::vector<int> inputs, std::vector<int> outputs, int decomposition) {
  const int index = Op(BuiltinOperator_STABLEHLO_COMPOSITE, std::move(inputs), std::move(outputs));
  StableHLOCompositeOptionsT options;
  options.name = "test.composite";
  options.decomposition_subgraph_index = decomposition;
  options.composite_attributes = {0};
  node(index).builtin_options_2.Set(std::move(options));
  return index;
}

TestModel::TestModel() {
  model_.version = TFLITE_SCHEMA_VERSION;
  model_.buffers.push_back(std::make_unique<BufferT>());
  AddSubgraph();
}

int TestModel::AddSubgraph() {
  model_.subgraphs.push_back(std::make_unique<SubGraphT>());
  subgraphs_.push_back(std::make_unique<TestSubgraph>(*this, *model_.subgraphs.back()));
  return static_cast<int>(subgraphs_.size()) - 1;
}

std::vector<uint8_t> TestModel::Bytes() const {
  flatbuffers::FlatBufferBuilder builder;
  FinishModelBuffer(builder, Model::Pack(builder, &model_));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

LoadedModel::LoadedModel(const TestModel& model, const std::function<void(MutableOpResolver&)>& edit)
    : bytes_(model.Bytes()) {
  AddOps(resolver_);
  if (edit) edit(resolver_);
  model_ = FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  EXPECT_EQ(InterpreterBuilder(*model_, resolver_)(&interpreter_), kTfLiteOk);
}

TfLiteContext* LoadedModel::DelegateContext() {
  // TFLite shows the nodes to delegates only.
  delegate_.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  delegate_.data_ = this;
  delegate_.Prepare = [](TfLiteContext* context, TfLiteDelegate* delegate) {
    auto& self = *static_cast<LoadedModel*>(delegate->data_);
    if (context == self.graph().context()) self.context_ = *context;
    return kTfLiteOk;
  };
  EXPECT_EQ(interpreter_->ModifyGraphWithDelegate(&delegate_), kTfLiteOk);
  return &context_;
}

std::string LoadedModel::Plan(int subgraph) {
  std::string names;
  for (int node : graph(subgraph).execution_plan()) {
    names += (names.empty() ? "" : " ") + std::string(OpName(graph(subgraph).node_and_registration(node)->second));
  }
  return names;
}

std::vector<float> RunModel(LoadedModel& model, const std::vector<std::vector<float>>& inputs) {
  Subgraph& graph = model.graph();
  EXPECT_EQ(graph.AllocateTensors(), kTfLiteOk);
  for (size_t i = 0; i < inputs.size(); ++i) {
    TfLiteTensor& tensor = *graph.tensor(graph.inputs()[i]);
    EXPECT_EQ(tensor.bytes, inputs[i].size() * sizeof(float));
    std::copy(inputs[i].begin(), inputs[i].end(), tensor.data.f);
  }
  EXPECT_EQ(graph.Invoke(), kTfLiteOk);
  const TfLiteTensor& output = *graph.tensor(graph.outputs()[0]);
  return {output.data.f, output.data.f + output.bytes / sizeof(float)};
}

}  // namespace tflite::webnn
