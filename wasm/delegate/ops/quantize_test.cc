#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(QuantizeLoweringTest, Edges) {
  ExpectLowerings({
      {"to int8 without a scale",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_QUANTIZE, {g.Float({2})}, {g.Tensor(TensorType_INT8, {2})}); },
       "tensor 1 't1' is INT8 without a scale and a zero point"},
      {"to int16 without a scale",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_QUANTIZE, {g.Float({2})}, {g.Tensor(TensorType_INT16, {2})}); },
       "tensor 1 't1' is INT16 without a scale and a zero point"},
      {"a scalar to int8",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_QUANTIZE, {g.Float({})}, {g.Quantized(TensorType_INT8, {}, 0.5f, 1)});
       },
       "quantizeLinear -> int8[]"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_QUANTIZE, {g.Float({0})}, {g.Quantized(TensorType_INT8, {0}, 0.5f, 1)});
       },
       "tensor 0 't0' has shape [0]; WebNN needs every dimension known and above 0"},
      {"a zero point beyond the type",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_QUANTIZE, {g.Float({2})}, {g.Quantized(TensorType_INT8, {2}, 0.5f, 300)});
       },
       "tensor 1 't1' has a zero point that its type cannot hold"},
      {"a negative zero point of uint8",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_QUANTIZE, {g.Float({2})}, {g.Quantized(TensorType_UINT8, {2}, 0.5f, -1)});
       },
       "tensor 1 't1' has a zero point that its type cannot hold"},
      {"a negative scale",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DEQUANTIZE, {g.Quantized(TensorType_INT8, {2}, -0.5f, 0)}, {g.Float({2})});
       },
       "tensor 0 't0' has a scale that is not a positive number"},
      {"from int8 without a scale",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_DEQUANTIZE, {g.Tensor(TensorType_INT8, {2})}, {g.Float({2})}); },
       "WebNN returns int8[2], but tensor 1 't1' is float32[2]"},
      {"from float16",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_DEQUANTIZE, {g.Tensor(TensorType_FLOAT16, {2})}, {g.Float({2})}); },
       "cast -> float32[2]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
