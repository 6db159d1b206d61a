#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(NormalizationLoweringTest, Edges) {
  ExpectLowerings({
      {"norm of a scalar",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_L2_NORMALIZATION, {g.Float({})}, {g.Float({})}, L2NormOptionsT()); },
       "a scalar has no last axis"},
      {"log of the softmax of a scalar",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_LOG_SOFTMAX, {g.Float({})}, {g.Float({})}, LogSoftmaxOptionsT()); },
       "a scalar has no last axis"},
      {"responses of a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {g.Float({})}, {g.Float({})},
              OPTIONS(LocalResponseNormalizationOptionsT, o.radius = 1));
       },
       "a scalar has no channels"},
      {"responses of no channels",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {g.Float({1, 2, 2, 0})}, {g.Float({1, 2, 2, 0})},
              OPTIONS(LocalResponseNormalizationOptionsT, o.radius = 1));
       },
       "tensor 0 't0' has shape [1,2,2,0]; WebNN needs every dimension known and above 0"},
      {"a negative radius",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {g.Float({1, 2, 2, 3})}, {g.Float({1, 2, 2, 3})},
              OPTIONS(LocalResponseNormalizationOptionsT, o.radius = -1));
       },
       "the radius must not be negative"},
      {"a huge radius",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {g.Float({1, 2, 2, 3})}, {g.Float({1, 2, 2, 3})},
              OPTIONS(LocalResponseNormalizationOptionsT, o.radius = INT32_MAX));
       },
       "mul reshape gemm mul add pow reshape div -> float32[1,2,2,3]"},
      {"5000 channels",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {g.Float({1, 1, 1, 5000})}, {g.Float({1, 1, 1, 5000})},
              OPTIONS(LocalResponseNormalizationOptionsT, o.radius = 1));
       },
       "WebNN needs a table of 25000000 elements for it"},
  });
}

TEST(NormalizationLoweringTest, Calls) {
  ExpectCalls({
      {"a band of the channels within the radius",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {g.Float({1, 1, 1, 4})}, {g.Float({1, 1, 1, 4})},
              OPTIONS(LocalResponseNormalizationOptionsT, o.radius = 2, o.bias = 1, o.alpha = 2, o.beta = 0.5f));
       },
       "mul(t0, t0)\nreshape(%0, [1,4])\ngemm(%1, {1,1,1,0,1,1,1,1,1,1,1,1,0,1,1,1}, bTranspose=1)\nmul(%2, {2})\n"
       "add(%3, {1})\npow(%4, {0.5})\nreshape(%5, [1,1,1,4])\ndiv(t0, %6)\n-> float32[1,1,1,4]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
