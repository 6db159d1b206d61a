#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ActivationLoweringTest, Edges) {
  ExpectLowerings({
      {"softmax of a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SOFTMAX, {g.Float({})}, {g.Float({})}, OPTIONS(SoftmaxOptionsT, o.beta = 1));
       },
       "softmax -> float32[]"},
      {"softmax of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SOFTMAX, {g.Float({0, 3})}, {g.Float({0, 3})}, OPTIONS(SoftmaxOptionsT, o.beta = 1));
       },
       "tensor 0 't0' has shape [0,3]; WebNN needs every dimension known and above 0"},
      {"softmax of a scalar with a large beta",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SOFTMAX, {g.Float({})}, {g.Float({})}, OPTIONS(SoftmaxOptionsT, o.beta = 3));
       },
       "mul softmax -> float32[]"},
      {"slopes of another rank",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PRELU, {g.Float({2, 3}), g.Floats({3}, {1, 2, 3})}, {g.Float({2, 3})});
       },
       "prelu -> float32[2,3]"},
      {"int8 without a scale",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RELU, {g.Tensor(TensorType_INT8, {2})}, {g.Tensor(TensorType_INT8, {2})});
       },
       "tensor 1 't1' is INT8 without a scale and a zero point"},
      {"int64",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RELU, {g.Tensor(TensorType_INT64, {2})}, {g.Tensor(TensorType_INT64, {2})});
       },
       "relu -> int64[2]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
