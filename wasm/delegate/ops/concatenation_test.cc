#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ConcatenationLoweringTest, Edges) {
  ExpectLowerings({
      {"axis from the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONCATENATION, {g.Float({2, 3}), g.Float({2, 1})}, {g.Float({2, 4})},
              OPTIONS(ConcatenationOptionsT, o.axis = -1));
       },
       "concat -> float32[2,4]"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONCATENATION, {g.Float({2}), g.Float({2})}, {g.Float({4})},
              OPTIONS(ConcatenationOptionsT, o.axis = 1));
       },
       "axis 1 does not exist"},
      {"axis before the first one",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONCATENATION, {g.Float({2}), g.Float({2})}, {g.Float({4})},
              OPTIONS(ConcatenationOptionsT, o.axis = -2));
       },
       "axis -1 does not exist"},
      {"scalars",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONCATENATION, {g.Float({}), g.Float({})}, {g.Float({2})}, ConcatenationOptionsT());
       },
       "axis 0 does not exist"},
      {"two ranks",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONCATENATION, {g.Float({2, 3}), g.Float({3})}, {g.Float({3, 3})},
              ConcatenationOptionsT());
       },
       "operands of different ranks cannot be concatenated"},
      {"an empty part",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONCATENATION, {g.Float({0, 3}), g.Float({2, 3})}, {g.Float({2, 3})},
              ConcatenationOptionsT());
       },
       "concat -> float32[2,3]"},
      {"empty parts only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONCATENATION, {g.Float({0, 3}), g.Float({0, 3})}, {g.Float({0, 3})},
              ConcatenationOptionsT());
       },
       "all of its inputs are empty"},
  });
}

}  // namespace
}  // namespace tflite::webnn
