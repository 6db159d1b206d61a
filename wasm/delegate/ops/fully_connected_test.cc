#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(FullyConnectedLoweringTest, Edges) {
  ExpectLowerings({
      {"input of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FULLY_CONNECTED, {g.Float({}), g.Float({1, 1})}, {g.Float({1, 1})},
              FullyConnectedOptionsT());
       },
       "reshape gemm -> float32[1,1]"},
      {"input that is no multiple of the depth",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FULLY_CONNECTED, {g.Float({3}), g.Float({1, 2})}, {g.Float({1, 1})},
              FullyConnectedOptionsT());
       },
       "the weights' depth does not divide the input"},
      {"weights of rank 1",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FULLY_CONNECTED, {g.Float({2}), g.Float({2})}, {g.Float({1})}, FullyConnectedOptionsT());
       },
       "the weights must have rank 2"},
      {"weights of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FULLY_CONNECTED, {g.Float({2}), g.Float({})}, {g.Float({1})}, FullyConnectedOptionsT());
       },
       "the weights must have rank 2"},
      {"no depth",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FULLY_CONNECTED, {g.Float({2, 0}), g.Float({3, 0})}, {g.Float({2, 3})},
              FullyConnectedOptionsT());
       },
       "the weights must have rank 2"},
      {"no units",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FULLY_CONNECTED, {g.Float({2, 2}), g.Float({0, 2})}, {g.Float({2, 0})},
              FullyConnectedOptionsT());
       },
       "tensor 1 't1' has shape [0,2]; WebNN needs every dimension known and above 0"},
      {"no rows",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FULLY_CONNECTED, {g.Float({0, 2}), g.Float({3, 2})}, {g.Float({0, 3})},
              FullyConnectedOptionsT());
       },
       "tensor 0 't0' has shape [0,2]; WebNN needs every dimension known and above 0"},
      {"shuffled weights",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FULLY_CONNECTED, {g.Float({1, 2}), g.Float({3, 2})}, {g.Float({1, 3})},
              OPTIONS(FullyConnectedOptionsT, o.weights_format = FullyConnectedOptionsWeightsFormat_SHUFFLED4x16INT8));
       },
       "shuffled weights have no WebNN layout"},
  });
}

}  // namespace
}  // namespace tflite::webnn
