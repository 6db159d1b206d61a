#include "runtime/execute/execution_plan.h"

#include <gtest/gtest.h>

#include "tests/unit/delegate_fixture.h"

namespace tflite::webnn {
namespace {

using ExecutionPlanTest = DelegateTest;

TEST_F(ExecutionPlanTest, StepsAlternateBetweenWebnnAndTheCpu) {
  AddChain(1, 4);
  Apply({{"ignore_partition_cost", "true"}});
  const std::vector<PlanStep> steps = StepsOf(model_->graph());
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_NE(steps[0].kernel, nullptr);
  EXPECT_EQ(steps[0].inputs, std::vector<int>{0});
  EXPECT_EQ(steps[0].outputs, std::vector<int>{1});
  EXPECT_EQ(steps[1].kernel, nullptr);
  EXPECT_EQ(steps[1].first, 1);
  EXPECT_EQ(steps[1].count, 1);
  EXPECT_EQ(steps[1].inputs, std::vector<int>{1});
  EXPECT_EQ(steps[1].outputs, std::vector<int>{2});
  EXPECT_NE(steps[2].kernel, nullptr);
  EXPECT_EQ(steps[2].outputs, std::vector<int>{3});
}

TEST_F(ExecutionPlanTest, NodesThatTheCpuRunsInARowAreOneStep) {
  AddChain(2, 4);
  Apply();  // the cost rule leaves all nodes to the CPU
  const std::vector<PlanStep> steps = StepsOf(model_->graph());
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].kernel, nullptr);
  EXPECT_EQ(steps[0].count, 5);
  EXPECT_EQ(steps[0].inputs, std::vector<int>{0}) << "without what the step itself writes";
  EXPECT_EQ(steps[0].outputs, (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST_F(ExecutionPlanTest, ConstantsAreNoInputsOfAStep) {
  TestSubgraph& graph = file_.main();
  const int input = graph.Float({1}), output = graph.Float({1});
  graph.Op(BuiltinOperator_ADD, {graph.Floats({1}, {1}), input}, {output}, AddOptionsT());
  graph.SetInputs({input});
  graph.SetOutputs({output});
  LoadedModel model(file_);
  EXPECT_EQ(StepsOf(model.graph())[0].inputs, std::vector<int>{input});
}

TEST_F(ExecutionPlanTest, SlicesAreUpdatedInPlaceWhereNothingElseReadsTheInputLater) {
  TestSubgraph& graph = file_.main();
  const auto update = [&](int operand, int slice) {
    const int result = graph.Float({4});
    graph.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {operand, slice, graph.Ints({1}, {0})}, {result});
    return result;
  };
  const auto negative = [&](int x) {
    const int y = graph.Float({4});
    graph.Op(BuiltinOperator_NEG, {x}, {y});
    return y;
  };
  const int slice = graph.Float({2});
  std::vector<int> inputs{slice};
  const auto input = [&] { return inputs.emplace_back(graph.Float({4})); };
  const int alone = input(), read_before = input(), read_later = input(), twice = input(), kept = input(),
            chained = input(), own_slice = input();
  std::vector<int> outputs{update(alone, slice), negative(read_before), update(read_before, slice),
                           update(read_later, slice)};
  outputs.insert(outputs.end(), {negative(read_later), update(twice, slice), update(twice, slice)});
  outputs.insert(outputs.end(), {update(kept, slice), kept, update(update(chained, slice), slice)});
  outputs.push_back(update(own_slice, own_slice));
  const int inner = update(negative(slice), slice);
  outputs.push_back(negative(inner));
  graph.SetInputs(inputs);
  graph.SetOutputs(outputs);
  LoadedModel model(file_);
  std::vector<std::pair<int, int>> found;
  for (const auto& [from, to] : UpdatesInPlace(model.graph())) found.emplace_back(from, to);
  EXPECT_EQ(found,
            (std::vector<std::pair<int, int>>{{alone, outputs[0]}, {read_before, outputs[2]}, {twice, outputs[6]}}));
}

TEST_F(ExecutionPlanTest, NodesThatWriteNothingDoNothing) {
  TestSubgraph& graph = file_.main();
  const int input = graph.Float({0, 2}), output = graph.Float({0, 2}), other = graph.Float({1}), sum = graph.Float({1});
  graph.Op(BuiltinOperator_ADD, {input, input}, {output}, AddOptionsT());
  graph.Op(BuiltinOperator_ADD, {other, other}, {sum}, AddOptionsT());
  graph.SetInputs({input, other});
  graph.SetOutputs({output, sum});
  LoadedModel model(file_);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  const auto break_node = [&](int node) {
    const TfLiteRegistration& kernel = model.graph().node_and_registration(node)->second;
    const_cast<TfLiteRegistration&>(kernel).invoke = [](TfLiteContext*, TfLiteNode*) { return kTfLiteError; };
  };
  break_node(0);
  EXPECT_EQ(model.graph().Invoke(), kTfLiteOk);
  break_node(1);
  EXPECT_EQ(model.graph().Invoke(), kTfLiteError);
}

TEST_F(ExecutionPlanTest, ConstantsAreReadByTheirAddress) {
  TestSubgraph& graph = file_.main();
  const int weights = graph.Constant<int8_t>(TensorType_INT8, {4}, {1, 2, 3, 4});
  const int input = graph.Float({4}), unpacked = graph.Float({4}), output = graph.Float({4});
  graph.tensor(weights).quantization = std::make_unique<QuantizationParametersT>();
  graph.tensor(weights).quantization->scale = {0.5f};
  graph.tensor(weights).quantization->zero_point = {0};
  graph.Op(BuiltinOperator_DEQUANTIZE, {weights}, {unpacked});
  graph.Op(BuiltinOperator_ADD, {input, unpacked}, {output}, AddOptionsT());
  graph.SetInputs({input});
  graph.SetOutputs({output});
  Apply({{"ignore_partition_cost", "true"}});
  const std::vector<PlanStep> steps = StepsOf(model_->graph());
  ASSERT_EQ(steps.size(), 1u);
  ASSERT_NE(steps[0].kernel, nullptr);
  ASSERT_EQ(steps[0].kernel->graph().constants.size(), 1u);
  const int64_t address = steps[0].kernel->graph().constants[0].address;
  ConstantReader reader;
  const auto* values = reinterpret_cast<const float*>(reader.At(address, 4 * sizeof(float), steps));
  ASSERT_NE(values, nullptr);
  EXPECT_EQ(std::vector<float>(values, values + 4), (std::vector<float>{0.5f, 1, 1.5f, 2}));
  const auto* last = reinterpret_cast<const float*>(reader.At(address + 12, sizeof(float), steps));
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(*last, 2);
  EXPECT_EQ(reader.At(address + 12, 2 * sizeof(float), steps), nullptr) << "half of it lies behind the constant";
  EXPECT_EQ(reader.At(WebnnGraph::kGeneratedConstants + (int64_t{1} << 40), 1, steps), nullptr);
}

}  // namespace
}  // namespace tflite::webnn
