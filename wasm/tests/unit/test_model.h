#ifndef TFLITE_WEBNN_TESTS_UNIT_TEST_MODEL_H_
#define TFLITE_WEBNN_TESTS_UNIT_TEST_MODEL_H_

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/core/model_builder.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/schema/schema_generated.h"

// Small TFLite models for the C++ unit tests.
namespace tflite::webnn {

class TestModel;

// A subgraph of a TestModel. Tensors and nodes are named by their indices.
class TestSubgraph {
 public:
  TestSubgraph(TestModel& model, SubGraphT& graph) : model_(model), graph_(graph) {}

  int Tensor(TensorType type, const std::vector<int>& shape);
  int Float(const std::vector<int>& shape) { return Tensor(TensorType_FLOAT32, shape); }
  int Quantized(TensorType type, const std::vector<int>& shape, float scale, int64_t zero_point);
  // A constant with the bytes of `values`.
  template <typename T>
  int Constant(TensorType type, const std::vector<int>& shape, const std::vector<T>& values) {
    const int tensor = Tensor(type, shape);
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    SetContent(tensor, std::move(bytes));
    return tensor;
  }
  int Floats(const std::vector<int>& shape, const std::vector<float>& values) {
    return Constant(TensorType_FLOAT32, shape, values);
  }
  int Ints(const std::vector<int>& shape, const std::vector<int32_t>& values) {
    return Constant(TensorType_INT32, shape, values);
  }

  // Adds a node and returns its index.
  int Op(BuiltinOperator op, std::vector<int> inputs, std::vector<int> outputs);
  template <typename OptionsT>
  int Op(BuiltinOperator op, std::vector<int> inputs, std::vector<int> outputs, OptionsT options) {
    const int node = Op(op, std::move(inputs), std::move(outputs));
    this->node(node).builtin_options.Set(std::move(options));
    return node;
  }
  // A STABLEHLO_COMPOSITE.
  int Composite(std::vector<int> inputs, std::vector<int> outputs, int decomposition);
  void SetInputs(std::vector<int> tensors) { graph_.inputs = std::move(tensors); }
  void SetOutputs(std::vector<int> tensors) { graph_.outputs = std::move(tensors); }

  // To corrupt what the calls above wrote.
  TensorT& tensor(int index) { return *graph_.tensors[index]; }
  OperatorT& node(int index) { return *graph_.operators[index]; }

 private:
  void SetContent(int tensor, std::vector<uint8_t> bytes);

  TestModel& model_;
  SubGraphT& graph_;
};

class TestModel {
 public:
  TestModel();

  // Subgraph 0.
  TestSubgraph& main() { return *subgraphs_[0]; }
  // The index of a new one.
  int AddSubgraph();
  TestSubgraph& subgraph(int index) { return *subgraphs_[index]; }
  ModelT& model() { return model_; }
  std::vector<uint8_t> Bytes() const;

 private:
  ModelT model_;
  std::vector<std::unique_ptr<TestSubgraph>> subgraphs_;
};

// An interpreter on a TestModel, with this project's kernels, and what it needs. Not prepared.
class LoadedModel {
 public:
  // `edit` may change the kernels.
  explicit LoadedModel(const TestModel& model, const std::function<void(MutableOpResolver&)>& edit = nullptr);

  Interpreter& interpreter() { return *interpreter_; }
  Subgraph& graph(int index = 0) { return *interpreter_->subgraph(index); }
  const Model& file() const { return *model_->GetModel(); }
  // The main subgraph's context as a delegate sees it: with the graph's nodes. Valid until the graph changes.
  TfLiteContext* DelegateContext();
  // The names of the plan's ops with spaces between, e.g. "ADD RELU".
  std::string Plan(int subgraph = 0);

 private:
  std::vector<uint8_t> bytes_;
  MutableOpResolver resolver_;
  std::unique_ptr<FlatBufferModel> model_;
  TfLiteContext context_{};
  TfLiteDelegate delegate_ = TfLiteDelegateCreate();  // shows the context
  std::unique_ptr<Interpreter> interpreter_;
};

// Allocates the main subgraph, runs it on these inputs, and returns its first output, all float32.
std::vector<float> RunModel(LoadedModel& model, const std::vector<std::vector<float>>& inputs);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TESTS_UNIT_TEST_MODEL_H_
