#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ConvolutionLoweringTest, Edges) {
  ExpectLowerings({
      {"strides of 2",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Floats({1, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1})},
              {g.Float({1, 2, 2, 1})}, OPTIONS(Conv2DOptionsT, o.stride_h = 2, o.stride_w = 2));
       },
       "conv2d -> float32[1,2,2,1]"},
      {"strides of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Floats({1, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1})},
              {g.Float({1, 2, 2, 1})}, OPTIONS(Conv2DOptionsT, o.dilation_h_factor = 1));
       },
       "strides and dilations must be 1 or more"},
      {"huge strides",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Floats({1, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1})},
              {g.Float({1, 2, 2, 1})}, OPTIONS(Conv2DOptionsT, o.stride_h = INT32_MAX, o.stride_w = INT32_MAX));
       },
       "conv2d -> float32[1,2,2,1]"},
      {"negative strides",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Floats({1, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1})},
              {g.Float({1, 2, 2, 1})}, OPTIONS(Conv2DOptionsT, o.stride_h = -2, o.stride_w = -2));
       },
       "strides and dilations must be 1 or more"},
      {"dilations of 0",
       [](TestSubgraph& g) {
         g.Op(
             BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Floats({1, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1})},
             {g.Float({1, 2, 2, 1})},
             OPTIONS(Conv2DOptionsT, o.stride_h = 2, o.stride_w = 2, o.dilation_h_factor = 0, o.dilation_w_factor = 0));
       },
       "strides and dilations must be 1 or more"},
      {"huge dilations",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Floats({1, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1})},
              {g.Float({1, 2, 2, 1})},
              OPTIONS(Conv2DOptionsT, o.stride_h = 2, o.stride_w = 2, o.dilation_h_factor = INT32_MAX,
                      o.dilation_w_factor = INT32_MAX));
       },
       "conv2d -> float32[1,2,2,1]"},
      {"filter of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Float({})}, {g.Float({1, 4, 4, 1})}, Conv2DOptionsT());
       },
       "input, filter and output must have rank 4"},
      {"filter without channels",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Float({1, 2, 2, 0})}, {g.Float({1, 4, 4, 1})},
              OPTIONS(Conv2DOptionsT, o.stride_h = 1, o.stride_w = 1));
       },
       "the input's channels are not a multiple of the filter's"},
      {"output of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 4, 4, 2}), g.Float({1, 2, 2, 2})}, {g.Float({})},
              OPTIONS(Conv2DOptionsT, o.stride_h = 1, o.stride_w = 1));
       },
       "input, filter and output must have rank 4"},
      {"depthwise filter of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DEPTHWISE_CONV_2D, {g.Float({1, 4, 4, 2}), g.Float({1, 0, 2, 2})},
              {g.Float({1, 4, 4, 2})}, OPTIONS(DepthwiseConv2DOptionsT, o.stride_h = 1, o.stride_w = 1));
       },
       "tensor 1 't1' has shape [1,0,2,2]; WebNN needs every dimension known and above 0"},
      {"depthwise input without channels",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DEPTHWISE_CONV_2D, {g.Float({1, 4, 4, 0}), g.Float({1, 2, 2, 2})},
              {g.Float({1, 4, 4, 2})}, OPTIONS(DepthwiseConv2DOptionsT, o.stride_h = 1, o.stride_w = 1));
       },
       "tensor 0 't0' has shape [1,4,4,0]; WebNN needs every dimension known and above 0"},
      {"int8 filter without a scale",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D,
              {g.Quantized(TensorType_INT8, {1, 4, 4, 2}, 0.5f, 0),
               g.Constant<int8_t>(TensorType_INT8, {1, 1, 1, 2}, {1, 2})},
              {g.Quantized(TensorType_INT8, {1, 4, 4, 1}, 0.5f, 0)},
              OPTIONS(Conv2DOptionsT, o.stride_h = 1, o.stride_w = 1));
       },
       "tensor 1 't1' is INT8 without a scale and a zero point"},
  });
}

TEST(ConvolutionLoweringTest, Calls) {
  ExpectCalls({
      {"groups, unequal strides and dilations, and an odd zero of SAME",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_CONV_2D, {g.Float({1, 5, 4, 2}), g.Float({4, 2, 3, 1})}, {g.Float({1, 5, 2, 4})},
              OPTIONS(Conv2DOptionsT, o.stride_h = 1, o.stride_w = 2, o.dilation_h_factor = 2));
       },
       "conv2d(t0, t1, padding=[1,1,0,1], strides=[1,2], dilations=[2,1], inputLayout=nhwc, groups=2, "
       "filterLayout=ohwi)\n-> float32[1,5,2,4]"},
      {"two filters for a channel",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DEPTHWISE_CONV_2D,
              {g.Float({1, 2, 2, 1}), g.Floats({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}, {g.Float({1, 1, 1, 2})},
              OPTIONS(DepthwiseConv2DOptionsT, o.padding = Padding_VALID, o.stride_h = 1, o.stride_w = 1));
       },
       "conv2d(t0, {1,3,5,7,2,4,6,8}, padding=[0,0,0,0], strides=[1,1], dilations=[1,1], inputLayout=nhwc, groups=1, "
       "filterLayout=ohwi)\n-> float32[1,1,1,2]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
