#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(BatchMatmulLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_MATMUL, {g.Float({}), g.Float({2, 2})}, {g.Float({2})}, BatchMatMulOptionsT());
       },
       "both operands must have rank 2 or more"},
      {"a vector",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_MATMUL, {g.Float({2, 2}), g.Float({2})}, {g.Float({2})},
              OPTIONS(BatchMatMulOptionsT, o.adj_y = true));
       },
       "both operands must have rank 2 or more"},
      {"no rows",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_MATMUL, {g.Float({0, 2}), g.Float({2, 3})}, {g.Float({0, 3})},
              BatchMatMulOptionsT());
       },
       "tensor 0 't0' has shape [0,2]; WebNN needs every dimension known and above 0"},
      {"rank 6",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_MATMUL, {g.Float({1, 1, 1, 1, 2, 2}), g.Float({2, 2})},
              {g.Float({1, 1, 1, 1, 2, 2})}, BatchMatMulOptionsT());
       },
       "WebNN matmul: 'a' would have rank 6, this context accepts 0 to 5"},
      {"adjoint constant",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_MATMUL, {g.Float({1, 2}), g.Floats({3, 2}, {1, 2, 3, 4, 5, 6})}, {g.Float({1, 3})},
              OPTIONS(BatchMatMulOptionsT, o.adj_y = true));
       },
       "matmul -> float32[1,3]"},
      {"int8 without a scale",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_MATMUL, {g.Tensor(TensorType_INT8, {2, 2}), g.Tensor(TensorType_INT8, {2, 2})},
              {g.Tensor(TensorType_INT8, {2, 2})}, BatchMatMulOptionsT());
       },
       "tensor 2 't2' is INT8 without a scale and a zero point"},
  });
}

}  // namespace
}  // namespace tflite::webnn
