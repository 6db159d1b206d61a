#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(SelectLoweringTest, Edges) {
  ExpectLowerings({
      {"scalars",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SELECT, {g.Tensor(TensorType_BOOL, {}), g.Float({}), g.Float({})}, {g.Float({})},
              SelectOptionsT());
       },
       "where -> float32[]"},
      {"rows",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SELECT, {g.Tensor(TensorType_BOOL, {2}), g.Float({2, 3}), g.Float({2, 3})},
              {g.Float({2, 3})}, SelectOptionsT());
       },
       "reshape where -> float32[2,3]"},
      {"other rows",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SELECT, {g.Tensor(TensorType_BOOL, {3}), g.Float({2, 3}), g.Float({2, 3})},
              {g.Float({2, 3})}, SelectOptionsT());
       },
       "WebNN where: the condition [3,1] cannot be broadcast to [2,3]"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SELECT_V2, {g.Tensor(TensorType_BOOL, {0}), g.Float({0}), g.Float({})}, {g.Float({0})},
              SelectV2OptionsT());
       },
       "tensor 0 't0' has shape [0]; WebNN needs every dimension known and above 0"},
      {"two types",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SELECT_V2,
              {g.Tensor(TensorType_BOOL, {2}), g.Float({2}), g.Tensor(TensorType_INT32, {2})}, {g.Float({2})},
              SelectV2OptionsT());
       },
       "WebNN where needs both operands of one type, found float32 and int32"},
  });
}

}  // namespace
}  // namespace tflite::webnn
