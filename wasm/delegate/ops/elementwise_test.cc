#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ElementwiseLoweringTest, Edges) {
  ExpectLowerings({
      {"scalars",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_ADD, {g.Float({}), g.Float({})}, {g.Float({})}, AddOptionsT()); },
       "add -> float32[]"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MUL, {g.Float({0, 3}), g.Float({3})}, {g.Float({0, 3})}, MulOptionsT());
       },
       "tensor 0 't0' has shape [0,3]; WebNN needs every dimension known and above 0"},
      {"division by a constant 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DIV, {g.Tensor(TensorType_INT32, {2}), g.Ints({2}, {1, 0})},
              {g.Tensor(TensorType_INT32, {2})}, DivOptionsT());
       },
       "integers are divided by constants other than 0 only, found another divisor"},
      {"division by no constant",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DIV, {g.Tensor(TensorType_INT32, {2}), g.Tensor(TensorType_INT32, {2})},
              {g.Tensor(TensorType_INT32, {2})}, DivOptionsT());
       },
       "integers are divided by constants other than 0 only, found another divisor"},
      {"int8 without a scale",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ADD, {g.Tensor(TensorType_INT8, {2}), g.Tensor(TensorType_INT8, {2})},
              {g.Tensor(TensorType_INT8, {2})}, AddOptionsT());
       },
       "tensor 2 't2' is INT8 without a scale and a zero point"},
      {"an activation of no kernel",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_ADD, {g.Float({2}), g.Float({2})}, {g.Float({2})},
              OPTIONS(AddOptionsT, o.fused_activation_function = ActivationFunctionType_TANH));
       },
       "fused activation 4 is not one that TFLite's kernels apply"},
      {"root of integers that may be negative",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RSQRT, {g.Quantized(TensorType_INT8, {2}, 0.5f, 0)},
              {g.Quantized(TensorType_INT8, {2}, 0.5f, 0)});
       },
       "TFLite reports roots of negative numbers, which tensor 0 't0' may hold"},
      {"exponents beyond the table",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_EXP, {g.Quantized(TensorType_INT16, {2}, 1, 0)},
              {g.Quantized(TensorType_INT16, {2}, 0.5f, 0)});
       },
       "the function's values do not fit the output's scale"},
      {"scale of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_EXP, {g.Quantized(TensorType_INT16, {2}, 1e-4f, 0)},
              {g.Quantized(TensorType_INT16, {2}, 0, 0)});
       },
       "the function's values do not fit the output's scale"},
      {"cast of a scalar to a boolean",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_CAST, {g.Float({})}, {g.Tensor(TensorType_BOOL, {})}); },
       "reshape notEqual reshape -> uint8[]"},
      {"cast to a type that WebNN lacks",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_CAST, {g.Float({2})}, {g.Tensor(TensorType_COMPLEX64, {2})}); },
       "WebNN has no type COMPLEX64"},
      {"cast to int64",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_CAST, {g.Float({2})}, {g.Tensor(TensorType_INT64, {2})}); },
       "lesser max cast where -> int64[2]"},
  });
}

TEST(ElementwiseLoweringTest, Calls) {
  ExpectCalls({
      {"a cast of numbers beyond int32",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_CAST, {g.Float({2})}, {g.Tensor(TensorType_INT32, {2})}); },
       "lesser(t0, {2.14748e+09})\nmax(t0, {-2.14748e+09})\ncast(%1, int32)\nwhere(%0, %2, {2147483647})\n"
       "-> int32[2]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
