#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(TransposeConvolutionLoweringTest, Edges) {
  ExpectLowerings({
      {"strides of 2",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 4, 4, 1}), g.Float({1, 2, 2, 1}), g.Float({1, 2, 2, 1})},
              {g.Float({1, 4, 4, 1})}, OPTIONS(TransposeConvOptionsT, o.stride_h = 2, o.stride_w = 2));
       },
       "convTranspose2d -> float32[1,4,4,1]"},
      {"strides of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 4, 4, 1}), g.Float({1, 2, 2, 1}), g.Float({1, 2, 2, 1})},
              {g.Float({1, 4, 4, 1})}, OPTIONS(TransposeConvOptionsT, o.stride_h = 0, o.stride_w = 0));
       },
       "output [1,4,4,1] exceeds the full result by a stride or more; WebNN's outputPadding must be below the stride"},
      {"negative strides",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 4, 4, 1}), g.Float({1, 2, 2, 1}), g.Float({1, 2, 2, 1})},
              {g.Float({1, 4, 4, 1})}, OPTIONS(TransposeConvOptionsT, o.stride_h = -1, o.stride_w = -1));
       },
       "output [1,4,4,1] exceeds the full result by a stride or more; WebNN's outputPadding must be below the stride"},
      {"huge strides",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 4, 4, 1}), g.Float({1, 2, 2, 1}), g.Float({1, 2, 2, 1})},
              {g.Float({1, 4, 4, 1})}, OPTIONS(TransposeConvOptionsT, o.stride_h = INT32_MAX, o.stride_w = INT32_MAX));
       },
       "convTranspose2d -> float32[1,4,4,1]"},
      {"filter of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 4, 4, 1}), g.Float({}), g.Float({1, 2, 2, 1})},
              {g.Float({1, 4, 4, 1})}, OPTIONS(TransposeConvOptionsT, o.stride_h = 2, o.stride_w = 2));
       },
       "input, filter and output must have rank 4"},
      {"filter of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 4, 4, 1}), g.Float({1, 0, 0, 1}), g.Float({1, 2, 2, 1})},
              {g.Float({1, 4, 4, 1})}, OPTIONS(TransposeConvOptionsT, o.stride_h = 2, o.stride_w = 2));
       },
       "output [1,4,4,1] exceeds the full result by a stride or more; WebNN's outputPadding must be below the stride"},
      {"output that exceeds the result",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 4, 4, 1}), g.Float({1, 2, 2, 1}), g.Float({1, 1, 1, 1})},
              {g.Float({1, 4, 4, 1})}, OPTIONS(TransposeConvOptionsT, o.stride_h = 2, o.stride_w = 2));
       },
       "output [1,4,4,1] exceeds the full result by a stride or more; WebNN's outputPadding must be below the stride"},
      {"other channels",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 4, 4, 1}), g.Float({1, 2, 2, 3}), g.Float({1, 2, 2, 1})},
              {g.Float({1, 4, 4, 1})}, OPTIONS(TransposeConvOptionsT, o.stride_h = 2, o.stride_w = 2));
       },
       "output [1,4,4,1] does not fit the input [1,2,2,1] and the filter [1,2,2,3]"},
  });
}

TEST(TransposeConvolutionLoweringTest, Calls) {
  ExpectCalls({
      {"VALID cuts rows and columns off at the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TRANSPOSE_CONV, {g.Ints({4}, {1, 3, 3, 1}), g.Float({1, 3, 3, 1}), g.Float({1, 2, 2, 1})},
              {g.Float({1, 3, 3, 1})},
              OPTIONS(TransposeConvOptionsT, o.padding = Padding_VALID, o.stride_h = 2, o.stride_w = 2));
       },
       "convTranspose2d(t2, t1, padding=[0,2,0,2], strides=[2,2], inputLayout=nhwc, filterLayout=ohwi)\n"
       "-> float32[1,3,3,1]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
