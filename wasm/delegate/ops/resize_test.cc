#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ResizeLoweringTest, Edges) {
  ExpectLowerings({
      {"input of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR, {g.Float({}), g.Ints({2}, {2, 2})}, {g.Float({1, 2, 2, 1})},
              ResizeBilinearOptionsT());
       },
       "input must have rank 4"},
      {"output of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR, {g.Float({1, 2, 2, 1}), g.Ints({2}, {2, 2})}, {g.Float({})},
              ResizeBilinearOptionsT());
       },
       "input must have rank 4"},
      {"sizes of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR, {g.Float({1, 2, 2, 1}), g.Ints({2}, {0, 0})}, {g.Float({1, 0, 0, 1})},
              ResizeBilinearOptionsT());
       },
       "tensor 2 't2' has shape [1,0,0,1]; WebNN needs every dimension known and above 0"},
      {"input of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR, {g.Float({1, 0, 2, 1}), g.Ints({2}, {2, 2})}, {g.Float({1, 2, 2, 1})},
              ResizeBilinearOptionsT());
       },
       "tensor 0 't0' has shape [1,0,2,1]; WebNN needs every dimension known and above 0"},
      {"nearest of sizes of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {g.Float({1, 2, 2, 1}), g.Ints({2}, {0, 0})},
              {g.Float({1, 0, 0, 1})}, ResizeNearestNeighborOptionsT());
       },
       "tensor 2 't2' has shape [1,0,0,1]; WebNN needs every dimension known and above 0"},
      {"nearest of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {g.Float({1, 0, 2, 1}), g.Ints({2}, {2, 2})},
              {g.Float({1, 2, 2, 1})}, ResizeNearestNeighborOptionsT());
       },
       "tensor 0 't0' has shape [1,0,2,1]; WebNN needs every dimension known and above 0"},
      {"huge sizes",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {g.Float({1, 2, 2, 1}), g.Ints({2}, {1 << 25, 1})},
              {g.Float({1, 33554432, 1, 1})}, ResizeNearestNeighborOptionsT());
       },
       "WebNN needs a table of 33554432 elements for it"},
      {"sizes known at run time only",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR, {g.Float({1, 2, 2, 1}), g.Tensor(TensorType_INT32, {2})},
              {g.Float({1, 4, 4, 1})}, ResizeBilinearOptionsT());
       },
       "the new size must be a constant"},
      {"one row with aligned corners",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR, {g.Float({1, 1, 1, 1}), g.Ints({2}, {1, 1})}, {g.Float({1, 1, 1, 1})},
              OPTIONS(ResizeBilinearOptionsT, o.align_corners = true));
       },
       "-> float32[1,1,1,1]"},
      {"more columns with aligned corners",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR, {g.Float({1, 2, 2, 1}), g.Ints({2}, {2, 4})}, {g.Float({1, 2, 4, 1})},
              OPTIONS(ResizeBilinearOptionsT, o.align_corners = true));
       },
       "gather gather sub mul add -> float32[1,2,4,1]"},
      {"huge sizes with aligned corners",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR, {g.Float({1, 2, 2, 1}), g.Ints({2}, {1, 1 << 25})},
              {g.Float({1, 1, 33554432, 1})}, OPTIONS(ResizeBilinearOptionsT, o.align_corners = true));
       },
       "WebNN needs a table of 33554432 elements for it"},
  });
}

TEST(ResizeLoweringTest, Calls) {
  ExpectCalls({
      {"the pixels nearest to half-pixel centers",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {g.Tensor(TensorType_INT32, {1, 3, 1, 1}), g.Ints({2}, {2, 1})},
              {g.Tensor(TensorType_INT32, {1, 2, 1, 1})},
              OPTIONS(ResizeNearestNeighborOptionsT, o.half_pixel_centers = true));
       },
       "gather(t0, {0,2}, axis=1)\ngather(%0, {0}, axis=2)\n-> int32[1,2,1,1]"},
      {"half-pixel centers of int16 in 1024ths",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RESIZE_BILINEAR,
              {g.Quantized(TensorType_INT16, {1, 2, 1, 1}, 0.5f, 0), g.Ints({2}, {4, 1})},
              {g.Quantized(TensorType_INT16, {1, 4, 1, 1}, 0.5f, 0)},
              OPTIONS(ResizeBilinearOptionsT, o.half_pixel_centers = true));
       },
       "cast(t0, float32)\nmul(%0, {0.5})\ngather(%1, {0,0,0,1}, axis=1)\ngather(%1, {0,1,1,1}, axis=1)\nsub(%3, %2)\n"
       "mul(%4, {0,0.25,0.75,0})\nadd(%2, %5)\nclamp(%6, minValue=-16384, maxValue=16383.5)\n-> int32[1,4,1,1]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
