#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(VariableLoweringTest, Edges) {
  ExpectLowerings({
      {"a handle",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_READ_VARIABLE, {g.Tensor(TensorType_RESOURCE, {})}, {g.Float({2})},
              ReadVariableOptionsT());
       },
       "the variable stays with TFLite: WebNN graphs have no handles"},
      {"an assigned handle",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ASSIGN_VARIABLE, {g.Tensor(TensorType_RESOURCE, {}), g.Float({2})}, {},
              AssignVariableOptionsT());
       },
       "the variable stays with TFLite: WebNN graphs have no handles"},
      {"a value of another shape",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_READ_VARIABLE, {g.Float({3})}, {g.Float({2})}, ReadVariableOptionsT());
       },
       "WebNN returns float32[3], but tensor 1 't1' is float32[2]"},
      {"a value without a handle",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_READ_VARIABLE, {g.Float({2})}, {g.Float({2})}, ReadVariableOptionsT());
       },
       "-> float32[2]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
