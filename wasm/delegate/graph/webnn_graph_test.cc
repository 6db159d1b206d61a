#include "delegate/graph/webnn_graph.h"

#include <gtest/gtest.h>

namespace tflite::webnn {
namespace {

const OperandDescriptor kVector{DataType::kFloat32, {2}};

std::string JsonOf(const WebnnGraph& graph) {
  JsonWriter json;
  graph.WriteJson(json);
  return json.Take();
}

// x -> relu -> y, and operators that nothing needs.
WebnnGraph GraphWithUnusedParts() {
  WebnnGraph graph;
  graph.inputs = {{Operand{0}, 3, kVector}, {Operand{1}, 4, kVector}};
  graph.constants = {{Operand{2}, kVector, 1000}, {Operand{3}, kVector, 2000}};
  graph.operators = {{"relu", "0:RELU", {Operand{0}}, {}, {Operand{4}}},
                     {"add", "1:ADD", {Operand{1}, Operand{2}}, {}, {Operand{5}}},
                     {"concat", "2:CONCATENATION", {std::vector<Operand>{{4}, {3}}, 0}, {}, {Operand{6}}}};
  graph.outputs = {{Operand{6}, 9, {DataType::kFloat32, {4}}}};
  return graph;
}

TEST(WebnnGraphTest, JsonOfAnEmptyGraph) {
  EXPECT_EQ(JsonOf({}), R"({"inputs":[],"constants":[],"operators":[],"outputs":[]})");
}

TEST(WebnnGraphTest, JsonHasOneElementALine) {
  WebnnGraph graph;
  graph.inputs = {{Operand{0}, 12, {DataType::kFloat32, {1, 8}}}};
  graph.constants = {{Operand{1}, {DataType::kInt8, {4}}, 123456}};
  graph.operators = {{"conv2d",
                      "7:CONV_2D",
                      {Operand{0}, Operand{1}},
                      {{"strides", std::vector<int>{2, 2}}, {"bias", Operand{1}}, {"inputLayout", "nhwc"}},
                      {Operand{2}}}};
  graph.outputs = {{Operand{2}, 45, {DataType::kInt32, {}}, /*widened_int16=*/true}};
  EXPECT_EQ(JsonOf(graph), R"({"inputs":[
{"id":0,"name":"t12","tensor":12,"dataType":"float32","shape":[1,8]}],"constants":[
{"id":1,"dataType":"int8","shape":[4],"address":123456,"byteLength":4}],"operators":[
{"op":"conv2d","label":"7:CONV_2D","args":[{"operand":0},{"operand":1},{"strides":[2,2],"bias":{"operand":1},"inputLayout":"nhwc"}],"outputs":[2]}],"outputs":[
{"id":2,"name":"t45","tensor":45,"tensorType":"int16","dataType":"int32","shape":[]}]})");
}

TEST(WebnnGraphTest, JsonOfEachKindOfValue) {
  WebnnGraph graph;
  graph.operators = {{"op",
                      "l",
                      {true, -3, 0.5f, "text", std::vector<int>{}, std::vector<Operand>{{1}, {2}}},
                      {},
                      {Operand{3}, Operand{4}}}};
  EXPECT_NE(JsonOf(graph).find(R"("args":[true,-3,0.5,"text",[],[{"operand":1},{"operand":2}],{}],"outputs":[3,4]})"),
            std::string::npos)
      << JsonOf(graph);
}

TEST(WebnnGraphTest, JsonHasTheLimitOfConstantsFirst) {
  WebnnGraph graph;
  graph.max_constant_bytes = 77;
  EXPECT_EQ(JsonOf(graph).find(R"({"maxConstantBytes":77,"inputs":[)"), 0u);
}

TEST(WebnnGraphTest, AddressesOfGeneratedConstantsAreBeyondTheMemory) {
  WebnnGraph graph;
  graph.constants = {{Operand{0}, kVector, WebnnGraph::kGeneratedConstants + 8}};
  EXPECT_NE(JsonOf(graph).find(R"("address":4294967304)"), std::string::npos);
}

TEST(WebnnGraphTest, PartsThatNoOutputNeedsAreRemoved) {
  WebnnGraph graph = GraphWithUnusedParts();
  graph.RemoveUnreachable();
  ASSERT_EQ(graph.operators.size(), 2u);
  EXPECT_STREQ(graph.operators[0].op, "relu") << "the order is kept";
  EXPECT_STREQ(graph.operators[1].op, "concat");
  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.inputs[0].operand.id, 0);
  ASSERT_EQ(graph.constants.size(), 1u);
  EXPECT_EQ(graph.constants[0].operand.id, 3);
}

TEST(WebnnGraphTest, OperandsInOptionsAreNeeded) {
  WebnnGraph graph = GraphWithUnusedParts();
  graph.operators[2].options = {{"bias", Operand{5}}};
  graph.RemoveUnreachable();
  EXPECT_EQ(graph.operators.size(), 3u);
  EXPECT_EQ(graph.inputs.size(), 2u);
}

TEST(WebnnGraphTest, LimitOfConstantsIsSetOnlyForLargerOnes) {
  WebnnGraph graph = GraphWithUnusedParts();
  graph.LimitConstants(8);
  EXPECT_EQ(graph.max_constant_bytes, 0u);
  graph.LimitConstants(7);
  EXPECT_EQ(graph.max_constant_bytes, 7u);
  EXPECT_FALSE(graph.workarounds.Has(Workaround::kLargeConstants)) << "only weights of a gemm are split";
}

TEST(WebnnGraphTest, LargeWeightsOfGemmAreAWorkaround) {
  WebnnGraph graph = GraphWithUnusedParts();
  graph.operators[1].op = "gemm";
  graph.LimitConstants(7);
  EXPECT_TRUE(graph.workarounds.Has(Workaround::kLargeConstants));
}

}  // namespace
}  // namespace tflite::webnn
