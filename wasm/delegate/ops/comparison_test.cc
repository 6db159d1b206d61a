#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ComparisonLoweringTest, Edges) {
  ExpectLowerings({
      {"scalars",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_LESS, {g.Float({}), g.Float({})}, {g.Tensor(TensorType_BOOL, {})}); },
       "lesser -> uint8[]"},
      {"booleans",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_EQUAL, {g.Tensor(TensorType_BOOL, {2}), g.Tensor(TensorType_BOOL, {})},
              {g.Tensor(TensorType_BOOL, {2})});
       },
       "cast cast equal -> uint8[2]"},
      {"two types",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_EQUAL, {g.Tensor(TensorType_INT64, {2}), g.Float({2})}, {g.Tensor(TensorType_BOOL, {2})});
       },
       "WebNN equal needs both operands of one type, found int64 and float32"},
      {"shapes that do not broadcast",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_LOGICAL_AND, {g.Tensor(TensorType_BOOL, {2}), g.Tensor(TensorType_BOOL, {3})},
              {g.Tensor(TensorType_BOOL, {3})});
       },
       "WebNN logicalAnd: shapes [2] and [3] cannot be broadcast"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_LOGICAL_NOT, {g.Tensor(TensorType_BOOL, {0})}, {g.Tensor(TensorType_BOOL, {0})});
       },
       "tensor 0 't0' has shape [0]; WebNN needs every dimension known and above 0"},
      {"strings",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_EQUAL, {g.Tensor(TensorType_STRING, {2}), g.Tensor(TensorType_STRING, {2})},
              {g.Tensor(TensorType_BOOL, {2})});
       },
       "tensor 0 't0' has type STRING, which WebNN does not have"},
  });
}

}  // namespace
}  // namespace tflite::webnn
