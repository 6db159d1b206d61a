#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(SplitLoweringTest, Edges) {
  ExpectLowerings({
      {"axis from the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPLIT, {g.Ints({}, {-1}), g.Float({2, 4})}, {g.Float({2, 2}), g.Float({2, 2})},
              OPTIONS(SplitOptionsT, o.num_splits = 2));
       },
       "split -> float32[2,2] float32[2,2]"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPLIT, {g.Ints({}, {2}), g.Float({2, 4})}, {g.Float({2, 2}), g.Float({2, 2})},
              OPTIONS(SplitOptionsT, o.num_splits = 2));
       },
       "axis 2 does not exist"},
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPLIT, {g.Ints({}, {0}), g.Float({})}, {g.Float({}), g.Float({})},
              OPTIONS(SplitOptionsT, o.num_splits = 2));
       },
       "axis 0 does not exist"},
      {"outputs of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPLIT, {g.Ints({}, {0}), g.Float({2})}, {g.Float({}), g.Float({})},
              OPTIONS(SplitOptionsT, o.num_splits = 2));
       },
       "an output has another rank than the input"},
      {"an empty part",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPLIT, {g.Ints({}, {0}), g.Float({2})}, {g.Float({2}), g.Float({0})},
              OPTIONS(SplitOptionsT, o.num_splits = 2));
       },
       "tensor 3 't3' has shape [0]; WebNN needs every dimension known and above 0"},
      {"sizes known at run time only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPLIT_V, {g.Float({2}), g.Tensor(TensorType_INT32, {1}), g.Ints({}, {0})}, {g.Float({2})},
              OPTIONS(SplitVOptionsT, o.num_splits = 1));
       },
       "the sizes must be a constant"},
      {"axis known at run time only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPLIT_V, {g.Float({2}), g.Ints({1}, {2}), g.Tensor(TensorType_INT32, {})}, {g.Float({2})},
              OPTIONS(SplitVOptionsT, o.num_splits = 1));
       },
       "the axis must be a constant"},
  });
}

}  // namespace
}  // namespace tflite::webnn
