#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(FillLoweringTest, Edges) {
  ExpectLowerings({
      {"a shape without elements",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_FILL, {g.Ints({0}, {}), g.Float({})}, {g.Float({})}); },
       "the shape must be a constant"},
      {"no elements",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_FILL, {g.Ints({1}, {0}), g.Float({})}, {g.Float({0})}); },
       "tensor 2 't2' has shape [0]; WebNN needs every dimension known and above 0"},
      {"shape known at run time only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FILL, {g.Tensor(TensorType_INT32, {1}), g.Float({})}, {g.Float({2})});
       },
       "the shape must be a constant"},
      {"a value of rank 1",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_FILL, {g.Ints({1}, {2}), g.Float({3})}, {g.Float({2})}); },
       "the value must be one number"},
      {"zeros of strings",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ZEROS_LIKE, {g.Tensor(TensorType_STRING, {2})}, {g.Tensor(TensorType_STRING, {2})});
       },
       "WebNN has no type STRING"},
      {"zeros of no elements",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_ZEROS_LIKE, {g.Float({0})}, {g.Float({0})}); },
       "tensor 1 't1' has shape [0]; WebNN needs every dimension known and above 0"},
      {"a shape that is not folded",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SHAPE, {g.Float({2})}, {g.Tensor(TensorType_INT32, {1})}, ShapeOptionsT());
       },
       "its result is not known before the model runs"},
  });
}

}  // namespace
}  // namespace tflite::webnn
