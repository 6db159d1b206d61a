#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ArgMinMaxLoweringTest, Edges) {
  ExpectLowerings({
      {"axis from the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ARG_MAX, {g.Tensor(TensorType_INT32, {2, 3}), g.Ints({1}, {-2})},
              {g.Tensor(TensorType_INT32, {3})}, ArgMaxOptionsT());
       },
       "argMax -> int32[3]"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ARG_MAX, {g.Float({2, 3}), g.Ints({1}, {2})}, {g.Tensor(TensorType_INT32, {2})},
              ArgMaxOptionsT());
       },
       "axis 2 does not exist"},
      {"axis before the first one",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ARG_MIN, {g.Float({2, 3}), g.Ints({1}, {-3})}, {g.Tensor(TensorType_INT32, {2})},
              ArgMinOptionsT());
       },
       "axis -3 does not exist"},
      {"int64 axis beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ARG_MAX,
              {g.Float({2, 3}), g.Constant<int64_t>(TensorType_INT64, {1}, {int64_t{1} << 32})},
              {g.Tensor(TensorType_INT32, {2})}, ArgMaxOptionsT());
       },
       "axis 2147483647 does not exist"},
      {"two axes",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ARG_MAX, {g.Float({2, 3}), g.Ints({2}, {0, 1})}, {g.Tensor(TensorType_INT32, {})},
              ArgMaxOptionsT());
       },
       "the axis must be a constant"},
      {"axis of a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ARG_MAX, {g.Float({}), g.Ints({1}, {0})}, {g.Tensor(TensorType_INT32, {})},
              ArgMaxOptionsT());
       },
       "axis 0 does not exist"},
      {"axis known at run time only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ARG_MAX, {g.Float({2}), g.Tensor(TensorType_INT32, {1})},
              {g.Tensor(TensorType_INT32, {})}, ArgMaxOptionsT());
       },
       "the axis must be a constant"},
  });
}

}  // namespace
}  // namespace tflite::webnn
