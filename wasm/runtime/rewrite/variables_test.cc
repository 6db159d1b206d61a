#include <gtest/gtest.h>

#include <cstring>

#include "runtime/rewrite/rewrites.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

VarHandleOptionsT Handle(const std::string& name) {
  VarHandleOptionsT options;
  options.shared_name = name;
  return options;
}

// A counter: sum = variable + x, which becomes the variable. CALL_ONCE assigns it a first value.
class VariablesTest : public testing::Test {
 protected:
  VariablesTest() : initializer_(file_.AddSubgraph()) {
    TestSubgraph& main = file_.main();
    CallOnceOptionsT once;
    once.init_subgraph_index = initializer_;
    main.Op(BuiltinOperator_CALL_ONCE, {}, {}, std::move(once));
    x_ = main.Float({2});
    handle_ = main.Tensor(TensorType_RESOURCE, {1});
    main.Op(BuiltinOperator_VAR_HANDLE, {}, {handle_}, Handle("count"));
    const int value = main.Float({2});
    main.Op(BuiltinOperator_READ_VARIABLE, {handle_}, {value}, ReadVariableOptionsT());
    sum_ = main.Float({2});
    main.Op(BuiltinOperator_ADD, {value, x_}, {sum_}, AddOptionsT());
    assignment_ = main.Op(BuiltinOperator_ASSIGN_VARIABLE, {handle_, sum_}, {}, AssignVariableOptionsT());
    main.SetInputs({x_});
    main.SetOutputs({sum_});
    Initialize({1, 2});
  }

  void Initialize(const std::vector<float>& values) {
    TestSubgraph& graph = file_.subgraph(initializer_);
    const int handle = graph.Tensor(TensorType_RESOURCE, {1});
    graph.Op(BuiltinOperator_VAR_HANDLE, {}, {handle}, Handle("count"));
    graph.Op(BuiltinOperator_ASSIGN_VARIABLE, {handle, graph.Floats({2}, values)}, {}, AssignVariableOptionsT());
  }

  // Why the variable remains with TFLite.
  std::string Kept() {
    LoadedModel model(file_);
    const Variables variables = TakeVariablesOut(model.interpreter(), 0);
    EXPECT_TRUE(variables.outside.empty());
    EXPECT_TRUE(variables.are_shared);
    return variables.kept.empty() ? "" : variables.kept.begin()->second;
  }

  TestModel file_;
  int initializer_, x_, handle_, sum_, assignment_;
};

TEST_F(VariablesTest, VariableBecomesAnInputAndAnOutput) {
  LoadedModel model(file_);
  const Variables variables = TakeVariablesOut(model.interpreter(), 0);
  ASSERT_EQ(variables.outside.size(), 1u);
  const Variable& count = variables.outside[0];
  EXPECT_EQ(count.name, "count");
  ASSERT_EQ(count.initial.size(), 2 * sizeof(float));
  float initial[2];
  std::memcpy(initial, count.initial.data(), sizeof(initial));
  EXPECT_EQ(initial[0], 1);
  EXPECT_EQ(initial[1], 2);
  EXPECT_EQ(model.graph().inputs(), (std::vector<int>{x_, count.input}));
  EXPECT_EQ(model.graph().outputs(), (std::vector<int>{sum_, count.output}));
  EXPECT_EQ(model.Plan(), "READ_VARIABLE ADD ASSIGN_VARIABLE") << "copies, without the handle and CALL_ONCE";
  EXPECT_FALSE(variables.are_shared);
  EXPECT_EQ(RunModel(model, {{10, 20}, {1, 2}}), (std::vector<float>{11, 22}));
  const float* next = model.graph().tensor(count.output)->data.f;
  EXPECT_EQ(next[0], 11);
  EXPECT_EQ(next[1], 22);
}

TEST_F(VariablesTest, ZerosAreNotKept) {
  Initialize({0, 0});
  LoadedModel model(file_);
  const Variables variables = TakeVariablesOut(model.interpreter(), 0);
  ASSERT_EQ(variables.outside.size(), 1u);
  EXPECT_TRUE(variables.outside[0].initial.empty());
}

TEST_F(VariablesTest, VariableThatIsNeverAssignedBecomesAConstant) {
  file_.main().node(assignment_).inputs = {x_, x_};
  file_.main().node(assignment_).opcode_index = file_.main().node(3).opcode_index;
  file_.main().node(assignment_).outputs = {file_.main().Float({2})};
  file_.main().node(assignment_).builtin_options.Set(AddOptionsT());
  LoadedModel model(file_);
  const Variables variables = TakeVariablesOut(model.interpreter(), 0);
  EXPECT_TRUE(variables.outside.empty());
  EXPECT_EQ(variables.constants.size(), 1u);
  EXPECT_EQ(model.Plan(), "READ_VARIABLE ADD ADD");
  EXPECT_EQ(RunModel(model, {{10, 20}}), (std::vector<float>{11, 22}));
}

TEST_F(VariablesTest, VariableThatIsReturnedIsKept) {
  file_.main().SetOutputs({sum_, handle_});
  EXPECT_EQ(Kept(), "the variable 'count' stays with TFLite: a subgraph returns its handle");
}

TEST_F(VariablesTest, VariableOfAnotherSubgraphIsKept) {
  const int other = file_.AddSubgraph();
  TestSubgraph& graph = file_.subgraph(other);
  const int handle = graph.Tensor(TensorType_RESOURCE, {1}), value = graph.Float({2});
  graph.Op(BuiltinOperator_VAR_HANDLE, {}, {handle}, Handle("count"));
  graph.Op(BuiltinOperator_READ_VARIABLE, {handle}, {value}, ReadVariableOptionsT());
  graph.SetOutputs({value});
  EXPECT_EQ(Kept(), "the variable 'count' stays with TFLite: subgraph 2 uses it, too");
}

TEST_F(VariablesTest, VariableWithoutAValueIsKept) {
  file_.subgraph(initializer_).node(0).builtin_options.AsVarHandleOptions()->shared_name = "other";
  EXPECT_EQ(Kept(), "the variable 'count' stays with TFLite: it is read before it has a value");
}

TEST_F(VariablesTest, HandleAndUsesOfAKeptVariableHaveTheReason) {
  file_.main().SetOutputs({sum_, handle_});
  LoadedModel model(file_);
  const Variables variables = TakeVariablesOut(model.interpreter(), 0);
  const std::string reason = "the variable 'count' stays with TFLite: a subgraph returns its handle";
  EXPECT_EQ(variables.kept, (std::map<int, std::string>{{1, reason}, {2, reason}, {4, reason}}));
}

TEST_F(VariablesTest, VariableThatChangesItsShapeIsKept) {
  file_.main().tensor(x_).shape = {1};
  file_.main().tensor(sum_).shape = {3};
  EXPECT_EQ(Kept(), "the variable 'count' stays with TFLite: its type or shape may change");
}

}  // namespace
}  // namespace tflite::webnn
