#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(OneHotLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ONE_HOT,
              {g.Tensor(TensorType_INT32, {}), g.Ints({}, {3}), g.Floats({}, {1}), g.Floats({}, {0})}, {g.Float({3})},
              OPTIONS(OneHotOptionsT, o.axis = -1));
       },
       "reshape equal where reshape -> float32[3]"},
      {"int64 indices",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ONE_HOT,
              {g.Tensor(TensorType_INT64, {2}), g.Ints({}, {3}), g.Floats({}, {1}), g.Floats({}, {0})},
              {g.Float({3, 2})}, OPTIONS(OneHotOptionsT, o.axis = 0));
       },
       "cast reshape equal where reshape -> float32[3,2]"},
      {"a depth of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ONE_HOT,
              {g.Tensor(TensorType_INT32, {2}), g.Ints({}, {0}), g.Floats({}, {1}), g.Floats({}, {0})},
              {g.Float({2, 0})}, OPTIONS(OneHotOptionsT, o.axis = -1));
       },
       "the depth must be a constant from 1 to 16777216, and the axis one of the result's"},
      {"a depth of 2^25",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ONE_HOT,
              {g.Tensor(TensorType_INT32, {2}), g.Ints({}, {1 << 25}), g.Floats({}, {1}), g.Floats({}, {0})},
              {g.Float({2, 3})}, OPTIONS(OneHotOptionsT, o.axis = -1));
       },
       "the depth must be a constant from 1 to 16777216, and the axis one of the result's"},
      {"int64 depth beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ONE_HOT,
              {g.Tensor(TensorType_INT32, {2}), g.Constant<int64_t>(TensorType_INT64, {}, {int64_t{1} << 32}),
               g.Floats({}, {1}), g.Floats({}, {0})},
              {g.Float({2, 3})}, OPTIONS(OneHotOptionsT, o.axis = -1));
       },
       "the depth must be a constant from 1 to 16777216, and the axis one of the result's"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ONE_HOT,
              {g.Tensor(TensorType_INT32, {2}), g.Ints({}, {3}), g.Floats({}, {1}), g.Floats({}, {0})},
              {g.Float({2, 3})}, OPTIONS(OneHotOptionsT, o.axis = 2));
       },
       "the depth must be a constant from 1 to 16777216, and the axis one of the result's"},
      {"axis before the first one",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ONE_HOT,
              {g.Tensor(TensorType_INT32, {2}), g.Ints({}, {3}), g.Floats({}, {1}), g.Floats({}, {0})},
              {g.Float({2, 3})}, OPTIONS(OneHotOptionsT, o.axis = -2));
       },
       "the depth must be a constant from 1 to 16777216, and the axis one of the result's"},
      {"two on values",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ONE_HOT,
              {g.Tensor(TensorType_INT32, {2}), g.Ints({}, {3}), g.Floats({2}, {1, 2}), g.Floats({}, {0})},
              {g.Float({2, 3})}, OPTIONS(OneHotOptionsT, o.axis = -1));
       },
       "on and off values must be one element"},
  });
}

}  // namespace
}  // namespace tflite::webnn
