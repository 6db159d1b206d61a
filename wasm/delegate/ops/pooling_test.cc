#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(PoolingLoweringTest, Edges) {
  ExpectLowerings({
      {"input of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MAX_POOL_2D, {g.Float({})}, {g.Float({})}, OPTIONS(Pool2DOptionsT, o.stride_h = 1));
       },
       "input must have rank 4"},
      {"no filter",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MAX_POOL_2D, {g.Float({1, 2, 2, 1})}, {g.Float({1, 2, 2, 1})},
              OPTIONS(Pool2DOptionsT, o.stride_h = 1, o.stride_w = 1));
       },
       "filter and strides must be 1 or more"},
      {"strides of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_AVERAGE_POOL_2D, {g.Float({1, 2, 2, 1})}, {g.Float({1, 2, 2, 1})},
              OPTIONS(Pool2DOptionsT, o.filter_height = 1, o.filter_width = 1));
       },
       "filter and strides must be 1 or more"},
      {"negative strides",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_L2_POOL_2D, {g.Float({1, 2, 2, 1})}, {g.Float({1, 2, 2, 1})},
              OPTIONS(Pool2DOptionsT, o.filter_height = 1, o.filter_width = 1, o.stride_h = -1, o.stride_w = -1));
       },
       "filter and strides must be 1 or more"},
      {"a huge filter",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MAX_POOL_2D, {g.Float({1, 2, 2, 1})}, {g.Float({1, 2, 2, 1})},
              OPTIONS(Pool2DOptionsT, o.filter_height = INT32_MAX, o.filter_width = INT32_MAX, o.stride_h = 1,
                      o.stride_w = 1));
       },
       "maxPool2d -> float32[1,2,2,1]"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_AVERAGE_POOL_2D, {g.Float({1, 0, 2, 1})}, {g.Float({1, 0, 2, 1})},
              OPTIONS(Pool2DOptionsT, o.filter_height = 1, o.filter_width = 1, o.stride_h = 1, o.stride_w = 1));
       },
       "tensor 0 't0' has shape [1,0,2,1]; WebNN needs every dimension known and above 0"},
  });
}

TEST(PoolingLoweringTest, Calls) {
  ExpectCalls({
      {"a window of two rows and three columns",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MAX_POOL_2D, {g.Float({1, 4, 4, 1})}, {g.Float({1, 2, 2, 1})},
              OPTIONS(Pool2DOptionsT, o.padding = Padding_VALID, o.filter_height = 2, o.filter_width = 3,
                      o.stride_h = 2, o.stride_w = 1));
       },
       "maxPool2d(t0, windowDimensions=[2,3], padding=[0,0,0,0], strides=[2,1], layout=nhwc)\n-> float32[1,2,2,1]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
