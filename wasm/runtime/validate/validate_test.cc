#include "runtime/validate/validate.h"

#include <gtest/gtest.h>

#include "tests/unit/test_model.h"
#include "tflite_kernels/op_resolver.h"

namespace tflite::webnn {
namespace {

// A model of one ADD of x and a constant.
class ValidateTest : public testing::Test {
 protected:
  ValidateTest() {
    AddOps(resolver_);
    TestSubgraph& main = file_.main();
    x_ = main.Float({2});
    constant_ = main.Floats({2}, {1, 2});
    sum_ = main.Float({2});
    main.Op(BuiltinOperator_ADD, {x_, constant_}, {sum_}, AddOptionsT());
    main.SetInputs({x_});
    main.SetOutputs({sum_});
  }

  Status Check(std::vector<uint8_t> bytes) { return Validate(bytes.data(), bytes.size(), resolver_); }
  Status Check() { return Check(file_.Bytes()); }
  // The code of an error; "" for success.
  static std::string CodeOf(const Status& status) { return status.ok() ? "" : status.code(); }
  // The message of a malformed model, without its beginning.
  std::string Message() {
    const Status status = Check();
    EXPECT_EQ(CodeOf(status), error_code::kMalformedModel) << status.ToJson();
    const std::string start = "malformed TensorFlow Lite model: ";
    const std::string message = status.ok() ? "" : status.message();
    EXPECT_EQ(message.find(start), 0u);
    return message.substr(std::min(start.size(), message.size()));
  }
  void UseCustomOp(const std::string& name) {
    file_.model().operator_codes[0]->builtin_code = BuiltinOperator_CUSTOM;
    file_.model().operator_codes[0]->deprecated_builtin_code = BuiltinOperator_CUSTOM;
    file_.model().operator_codes[0]->custom_code = name;
    file_.main().node(0).builtin_options.Reset();
  }

  MutableOpResolver resolver_;
  TestModel file_;
  int x_, constant_, sum_;
};

TEST_F(ValidateTest, EntireModelIsAccepted) {
  const Status status = Check();
  EXPECT_TRUE(status.ok()) << status.ToJson();
}

TEST_F(ValidateTest, OtherFilesAreNoModels) {
  for (const std::string& text : {std::string(), std::string("TFL3"), std::string("<!DOCTYPE html><html></html>")}) {
    EXPECT_EQ(CodeOf(Check({text.begin(), text.end()})), error_code::kNotATfliteModel) << text;
  }
}

TEST_F(ValidateTest, EveryTruncatedFileIsRejected) {
  const std::vector<uint8_t> entire = file_.Bytes();
  for (size_t size = 8; size < entire.size(); size += 4) {
    const Status status = Check({entire.begin(), entire.begin() + size});
    EXPECT_EQ(CodeOf(status), error_code::kMalformedModel) << size << " bytes";
  }
}

TEST_F(ValidateTest, OtherSchemaVersionsAreRejected) {
  file_.model().version = 2;
  EXPECT_EQ(CodeOf(Check()), error_code::kUnsupportedSchemaVersion);
}

TEST_F(ValidateTest, ModelWithoutSubgraphsIsMalformed) {
  file_.model().subgraphs.clear();
  EXPECT_EQ(Message(), "it has no subgraph");
}

TEST_F(ValidateTest, TensorIndicesBeyondTheSubgraphAreMalformed) {
  for (const int index : {3, 99, -2}) {
    file_.main().node(0).inputs = {x_, index};
    EXPECT_EQ(Message(), "node 0 names an op or a tensor that does not exist") << index;
  }
}

TEST_F(ValidateTest, InputsAndOutputsOfTheGraphMustExist) {
  file_.main().SetInputs({99});
  EXPECT_EQ(Message(), "an input names a tensor that does not exist");
  file_.main().SetInputs({x_});
  file_.main().SetOutputs({99});
  EXPECT_EQ(Message(), "an output names a tensor that does not exist");
}

TEST_F(ValidateTest, MissingInputsAreMalformed) {
  file_.main().node(0).inputs = {x_};
  EXPECT_NE(Message().find("node 0 (ADD) has 1 inputs; the op accepts"), std::string::npos);
}

TEST_F(ValidateTest, OpCodesBeyondTheTableAreMalformed) {
  file_.main().node(0).opcode_index = 7;
  EXPECT_EQ(Message(), "node 0 names an op or a tensor that does not exist");
}

TEST_F(ValidateTest, BuffersBeyondTheTableAreMalformed) {
  file_.main().tensor(constant_).buffer = 99;
  EXPECT_EQ(Message(), "tensor 1 names a buffer that does not exist");
}

TEST_F(ValidateTest, NegativeDimensionsAreMalformed) {
  file_.main().tensor(x_).shape = {-5};
  EXPECT_NE(Message().find("tensor 0"), std::string::npos);
}

TEST_F(ValidateTest, MoreElementsThanTheMemoryHoldsAreMalformed) {
  file_.main().tensor(x_).shape = {1 << 16, 1 << 16};
  EXPECT_EQ(Message(), "tensor 0 has more than 536870911 elements, which this runtime cannot hold");
}

TEST_F(ValidateTest, SlicesMustEndWithinTheirInput) {
  TestSubgraph& main = file_.main();
  main.Op(BuiltinOperator_SLICE, {x_, main.Ints({1}, {1}), main.Ints({1}, {2})}, {main.Float({2})}, SliceOptionsT());
  EXPECT_EQ(Message(), "node 1 (SLICE) takes a slice that is not within its input, along dimension 0");
}

TEST_F(ValidateTest, ContentOutsideOfTheFileIsMalformed) {
  file_.model().buffers.push_back(std::make_unique<BufferT>());
  file_.model().buffers[2]->offset = 1000000;
  file_.model().buffers[2]->size = 8;
  EXPECT_EQ(Message(), "buffer 2 lies outside of the file");
}

TEST_F(ValidateTest, SignaturesMustNameTensors) {
  auto signature = std::make_unique<SignatureDefT>();
  signature->signature_key = "main";
  signature->inputs.push_back(std::make_unique<TensorMapT>());
  signature->inputs[0]->name = "x";
  signature->inputs[0]->tensor_index = 99;
  file_.model().signature_defs.push_back(std::move(signature));
  EXPECT_EQ(Message(), "signature 0 names a tensor that does not exist");
  file_.model().signature_defs[0]->subgraph_index = 5;
  EXPECT_EQ(Message(), "signature 0 names a subgraph that does not exist");
}

TEST_F(ValidateTest, SubgraphsThatCallThemselvesAreMalformed) {
  WhileOptionsT options;
  options.cond_subgraph_index = 0;
  options.body_subgraph_index = 0;
  file_.main().Op(BuiltinOperator_WHILE, {sum_}, {file_.main().Float({2})}, std::move(options));
  EXPECT_EQ(Message(), "node 1 (WHILE) of subgraph 0 calls subgraph 0 recursively");
}

TEST_F(ValidateTest, FlexOpsHaveTheirCode) {
  UseCustomOp("FlexErf");
  const Status status = Check();
  EXPECT_EQ(CodeOf(status), error_code::kFlexOp);
  EXPECT_NE(status.message().find("the TensorFlow op 'Erf'"), std::string::npos);
  EXPECT_NE(status.ToJson().find(R"("details":{"op":"FlexErf"})"), std::string::npos);
}

TEST_F(ValidateTest, OtherCustomOpsHaveTheirCodes) {
  UseCustomOp("edgetpu-custom-op");
  EXPECT_EQ(CodeOf(Check()), error_code::kEdgeTpuOp);
  UseCustomOp("Mine");
  EXPECT_EQ(CodeOf(Check()), error_code::kUnresolvedCustomOp);
}

TEST_F(ValidateTest, CustomOpsThatNoNodeHasAreIgnored) {
  auto code = std::make_unique<OperatorCodeT>();
  code->builtin_code = BuiltinOperator_CUSTOM;
  code->deprecated_builtin_code = BuiltinOperator_CUSTOM;
  code->custom_code = "Mine";
  file_.model().operator_codes.push_back(std::move(code));
  EXPECT_TRUE(Check().ok());
}

TEST_F(ValidateTest, ContentOfResultsGoes) {
  file_.main().tensor(sum_).buffer = file_.main().tensor(constant_).buffer;
  std::vector<uint8_t> bytes = file_.Bytes();
  ASSERT_TRUE(Validate(bytes.data(), bytes.size(), resolver_).ok());
  EXPECT_EQ(GetModel(bytes.data())->subgraphs()->Get(0)->tensors()->Get(sum_)->buffer(), 0u);
}

// Guards around kernels reject what only the prepared or running node shows.
TEST(GuardsTest, GatheredIndicesMustExist) {
  // The last two name elements of another row.
  for (const auto& [row, index] : {std::pair{0, 0}, {0, 1}, {1, 2}, {0, -1}, {0, 2}, {1, -1}}) {
    TestModel file;
    TestSubgraph& main = file.main();
    const int x = main.Float({2, 2}), y = main.Float({1});
    main.Op(BuiltinOperator_GATHER_ND, {x, main.Ints({1, 2}, {row, index})}, {y}, GatherNdOptionsT());
    main.SetInputs({x});
    main.SetOutputs({y});
    LoadedModel model(file);
    const bool runs = model.graph().AllocateTensors() == kTfLiteOk && model.graph().Invoke() == kTfLiteOk;
    EXPECT_EQ(runs, index == 0 || index == 1) << row << ", " << index;
  }
}

TEST(GuardsTest, ReflectionsDoNotRepeatTheEdge) {
  for (const int before : {1, 2}) {
    TestModel file;
    TestSubgraph& main = file.main();
    const int x = main.Float({2}), y = main.Float({2 + before});
    main.Op(BuiltinOperator_MIRROR_PAD, {x, main.Ints({1, 2}, {before, 0})}, {y}, MirrorPadOptionsT());
    main.SetInputs({x});
    main.SetOutputs({y});
    LoadedModel model(file);
    const bool runs = model.graph().AllocateTensors() == kTfLiteOk && model.graph().Invoke() == kTfLiteOk;
    EXPECT_EQ(runs, before == 1) << before;
  }
}

TEST(GuardsTest, PermutationsMustHaveEachAxisOnce) {
  for (const std::vector<int32_t>& permutation : {std::vector<int32_t>{1, 0}, {0, 0}, {0, 2}}) {
    TestModel file;
    TestSubgraph& main = file.main();
    const int x = main.Float({2, 3}), y = main.Float({3, 2});
    main.Op(BuiltinOperator_TRANSPOSE, {x, main.Ints({2}, permutation)}, {y}, TransposeOptionsT());
    main.SetInputs({x});
    main.SetOutputs({y});
    LoadedModel model(file);
    const bool runs = model.graph().AllocateTensors() == kTfLiteOk && model.graph().Invoke() == kTfLiteOk;
    EXPECT_EQ(runs, permutation[0] == 1) << permutation[1];
  }
}

}  // namespace
}  // namespace tflite::webnn
