#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(DynamicUpdateSliceLoweringTest, Edges) {
  ExpectLowerings({
      {"starts past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({4}), g.Float({2}), g.Ints({1}, {9})}, {g.Float({4})});
       },
       "slice slice concat -> float32[4]"},
      {"negative starts",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({4}), g.Float({2}), g.Ints({1}, {-9})}, {g.Float({4})});
       },
       "slice slice concat -> float32[4]"},
      {"int64 start beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE,
              {g.Float({4}), g.Float({2}), g.Constant<int64_t>(TensorType_INT64, {1}, {int64_t{1} << 40})},
              {g.Float({4})});
       },
       "slice slice concat -> float32[4]"},
      {"scalars",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({}), g.Float({}), g.Ints({0}, {})}, {g.Float({})});
       },
       "tensor 2 't2' has shape [0]; WebNN needs every dimension known and above 0"},
      {"update larger than the operand",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({2}), g.Float({4}), g.Ints({1}, {0})}, {g.Float({2})});
       },
       "the update must fit into the operand, with one start for each axis"},
      {"update of another rank",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({2, 2}), g.Float({2}), g.Ints({2}, {0, 0})},
              {g.Float({2, 2})});
       },
       "the update must fit into the operand, with one start for each axis"},
      {"too few starts",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({2, 2}), g.Float({1, 1}), g.Ints({1}, {0})},
              {g.Float({2, 2})});
       },
       "the update must fit into the operand, with one start for each axis"},
      {"starts of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({2}), g.Float({1}), g.Ints({}, {0})}, {g.Float({2})});
       },
       "the update must fit into the operand, with one start for each axis"},
      {"update of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({2}), g.Float({0}), g.Ints({1}, {0})}, {g.Float({2})});
       },
       "tensor 1 't1' has shape [0]; WebNN needs every dimension known and above 0"},
      {"start known at run time only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {g.Float({4}), g.Float({2}), g.Tensor(TensorType_INT64, {1})},
              {g.Float({4})});
       },
       "max min cast slice reshape sub greaterOrEqual lesser logicalAnd max min gather where -> float32[4]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
