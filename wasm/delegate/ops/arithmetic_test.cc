#include <cmath>
#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ArithmeticLoweringTest, Edges) {
  ExpectLowerings({
      {"division by 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FLOOR_DIV, {g.Tensor(TensorType_INT32, {2}), g.Ints({}, {0})},
              {g.Tensor(TensorType_INT32, {2})});
       },
       "integers are divided by positive constants only, found another divisor"},
      {"division by the lowest int32",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FLOOR_MOD, {g.Tensor(TensorType_INT32, {2}), g.Ints({}, {INT32_MIN})},
              {g.Tensor(TensorType_INT32, {2})});
       },
       "integers are divided by positive constants only, found another divisor"},
      {"int64 divisor beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FLOOR_MOD,
              {g.Tensor(TensorType_INT64, {2}), g.Constant<int64_t>(TensorType_INT64, {}, {int64_t{1} << 33})},
              {g.Tensor(TensorType_INT64, {2})});
       },
       "int64 is divided by constants from 2 to 2^20 only, found another divisor"},
      {"division by no elements",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_FLOOR_DIV, {g.Float({2}), g.Float({0})}, {g.Float({0})}); },
       "tensor 1 't1' has shape [0]; WebNN needs every dimension known and above 0"},
      {"division by NaN",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_FLOOR_DIV, {g.Float({2}), g.Floats({}, {NAN})}, {g.Float({2})}); },
       "float32 is exact for constant powers of two only, found another divisor"},
      {"100 bits",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FAKE_QUANT, {g.Float({2})}, {g.Float({2})},
              OPTIONS(FakeQuantOptionsT, o.max = 1, o.num_bits = 100));
       },
       "the range must have min < max and 2 to 16 bits"},
      {"an empty range",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FAKE_QUANT, {g.Float({2})}, {g.Float({2})}, OPTIONS(FakeQuantOptionsT, o.num_bits = 8));
       },
       "the range must have min < max and 2 to 16 bits"},
      {"sum of one", [](TestSubgraph& g) { g.Op(BuiltinOperator_ADD_N, {g.Float({2})}, {g.Float({2})}); },
       "input 1 is missing"},
      {"sum of two shapes",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_ADD_N, {g.Float({2}), g.Float({2, 2})}, {g.Float({2})}); },
       "WebNN returns float32[2,2], but tensor 2 't2' is float32[2]"},
      {"product of booleans",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STABLEHLO_MULTIPLY, {g.Tensor(TensorType_BOOL, {2}), g.Tensor(TensorType_BOOL, {2})},
              {g.Tensor(TensorType_BOOL, {2})});
       },
       "WebNN has no arithmetic on booleans"},
  });
}

TEST(ArithmeticLoweringTest, Calls) {
  ExpectCalls({
      {"quotients of negative numbers are one less",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_FLOOR_DIV, {g.Tensor(TensorType_INT32, {2}), g.Ints({}, {3})},
              {g.Tensor(TensorType_INT32, {2})});
       },
       "div(t0, {3})\nmul(%0, {3})\nsub(t0, %1)\nlesser(%2, {0})\ncast(%3, int32)\nsub(%0, %4)\n-> int32[2]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
