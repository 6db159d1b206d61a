#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ReshapeLoweringTest, Edges) {
  ExpectLowerings({
      {"a shape without elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESHAPE, {g.Float({1}), g.Ints({0}, {})}, {g.Float({})}, ReshapeOptionsT());
       },
       "the new shape is computed at run time; WebNN needs a constant"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESHAPE, {g.Float({0, 3}), g.Ints({1}, {0})}, {g.Float({0})}, ReshapeOptionsT());
       },
       "tensor 0 't0' has shape [0,3]; WebNN needs every dimension known and above 0"},
      {"shape known at run time only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESHAPE, {g.Float({2}), g.Tensor(TensorType_INT32, {1})}, {g.Float({2})},
              ReshapeOptionsT());
       },
       "the new shape is computed at run time; WebNN needs a constant"},
      {"transposed scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE, {g.Float({}), g.Ints({0}, {})}, {g.Float({})}, TransposeOptionsT());
       },
       "transpose -> float32[]"},
      {"axes from the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE, {g.Float({2, 3}), g.Ints({2}, {-1, -2})}, {g.Float({3, 2})},
              TransposeOptionsT());
       },
       "transpose -> float32[3,2]"},
      {"an axis twice",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE, {g.Float({2, 3}), g.Ints({2}, {0, 0})}, {g.Float({2, 2})},
              TransposeOptionsT());
       },
       "the permutation [0,0] does not name each axis once"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE, {g.Float({2, 3}), g.Ints({2}, {0, 2})}, {g.Float({2, 3})},
              TransposeOptionsT());
       },
       "the permutation [0,2] does not name each axis once"},
      {"too few axes",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE, {g.Float({2, 3}), g.Ints({1}, {0})}, {g.Float({2})}, TransposeOptionsT());
       },
       "the permutation must be a constant with one entry for each axis"},
      {"transposed constant",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE, {g.Floats({1, 2}, {1, 2}), g.Ints({2}, {1, 2})}, {g.Float({2, 1})},
              TransposeOptionsT());
       },
       "the permutation [1,2] does not name each axis once"},
  });
}

}  // namespace
}  // namespace tflite::webnn
