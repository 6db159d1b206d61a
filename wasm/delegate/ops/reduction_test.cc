#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ReductionLoweringTest, Edges) {
  ExpectLowerings({
      {"axis of a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SUM, {g.Float({}), g.Ints({1}, {0})}, {g.Float({})}, ReducerOptionsT());
       },
       "an axis does not exist"},
      {"no axes",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SUM, {g.Float({2}), g.Ints({0}, {})}, {g.Float({2})}, ReducerOptionsT());
       },
       "the axes must be a constant with at least one axis"},
      {"an axis twice",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REDUCE_MAX, {g.Float({2, 3}), g.Ints({2}, {1, -1})}, {g.Float({2})}, ReducerOptionsT());
       },
       "reduceMax -> float32[2]"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MEAN, {g.Float({2, 3}), g.Ints({1}, {2})}, {g.Float({2})}, ReducerOptionsT());
       },
       "an axis does not exist"},
      {"axis before the first one",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REDUCE_PROD, {g.Float({2, 3}), g.Ints({1}, {-3})}, {g.Float({2})}, ReducerOptionsT());
       },
       "an axis does not exist"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SUM, {g.Float({0, 3}), g.Ints({1}, {0})}, {g.Float({3})}, ReducerOptionsT());
       },
       "tensor 0 't0' has shape [0,3]; WebNN needs every dimension known and above 0"},
      {"axes known at run time only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REDUCE_MIN, {g.Float({2, 3}), g.Tensor(TensorType_INT32, {1})}, {g.Float({2})},
              ReducerOptionsT());
       },
       "the axes must be a constant with at least one axis"},
      {"int64 axis beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CUMSUM, {g.Float({2}), g.Constant<int64_t>(TensorType_INT64, {}, {int64_t{1} << 32})},
              {g.Float({2})}, CumsumOptionsT());
       },
       "axis 2147483647 does not exist"},
      {"running sum of a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CUMSUM, {g.Float({}), g.Ints({}, {0})}, {g.Float({})}, CumsumOptionsT());
       },
       "axis 0 does not exist"},
  });
}

TEST(ReductionLoweringTest, Calls) {
  ExpectCalls({
      {"an exclusive running sum",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CUMSUM, {g.Float({2, 3}), g.Ints({}, {1})}, {g.Float({2, 3})},
              OPTIONS(CumsumOptionsT, o.exclusive = true));
       },
       "cumulativeSum(t0, 1, exclusive=1, reversed=0)\n-> float32[2,3]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
