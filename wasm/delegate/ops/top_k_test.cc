#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(TopKLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_FLOAT32, {}), g.Ints({}, {1})},
              {g.Tensor(TensorType_FLOAT32, {1}), g.Tensor(TensorType_INT32, {1})}, TopKV2OptionsT());
       },
       "WebNN does not sort: k must be a constant of at most 20"},
      {"k of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_FLOAT32, {3}), g.Ints({}, {0})},
              {g.Tensor(TensorType_FLOAT32, {0}), g.Tensor(TensorType_INT32, {0})}, TopKV2OptionsT());
       },
       "WebNN does not sort: k must be a constant of at most 20"},
      {"k of more than the elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_FLOAT32, {1}), g.Ints({}, {2})},
              {g.Tensor(TensorType_FLOAT32, {2}), g.Tensor(TensorType_INT32, {2})}, TopKV2OptionsT());
       },
       "WebNN does not sort: k must be a constant of at most 20"},
      {"two k",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_FLOAT32, {3}), g.Ints({2}, {1, 1})},
              {g.Tensor(TensorType_FLOAT32, {1}), g.Tensor(TensorType_INT32, {1})}, TopKV2OptionsT());
       },
       "WebNN does not sort: k must be a constant of at most 20"},
      {"int16 positions",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_FLOAT32, {3}), g.Ints({}, {1})},
              {g.Tensor(TensorType_FLOAT32, {1}), g.Tensor(TensorType_INT16, {1})}, TopKV2OptionsT());
       },
       "positions must be int32"},
      {"one position of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_INT32, {3}), g.Ints({}, {1})},
              {g.Tensor(TensorType_INT32, {1}), g.Tensor(TensorType_INT32, {})}, TopKV2OptionsT());
       },
       "reduceMax argMax -> int32[1] int32[]"},
      {"one of so many floats that NaN is not looked for",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_FLOAT32, {(1 << 16) + 1}), g.Ints({}, {1})},
              {g.Tensor(TensorType_FLOAT32, {1}), g.Tensor(TensorType_INT32, {1})}, TopKV2OptionsT());
       },
       "reduceMax argMax -> float32[1] int32[1]"},
      {"two of int8",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_INT8, {3}), g.Ints({}, {2})},
              {g.Tensor(TensorType_INT8, {2}), g.Tensor(TensorType_INT32, {2})}, TopKV2OptionsT());
       },
       "more than one element is taken of float32 and int32 only, found int8"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TOPK_V2, {g.Tensor(TensorType_FLOAT32, {0}), g.Ints({}, {1})},
              {g.Tensor(TensorType_FLOAT32, {1}), g.Tensor(TensorType_INT32, {1})}, TopKV2OptionsT());
       },
       "tensor 0 't0' has shape [0]; WebNN needs every dimension known and above 0"},
  });
}

}  // namespace
}  // namespace tflite::webnn
