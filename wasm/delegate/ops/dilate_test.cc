#include <cstdint>
#include <vector>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(DilateLoweringTest, Edges) {
  ExpectLowerings({
      {"dilations of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DILATE, {g.Float({2}), g.Ints({1}, {0}), g.Floats({}, {0})}, {g.Float({2})});
       },
       "the dilations must be a constant with one positive entry for each axis"},
      {"too few dilations",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DILATE, {g.Float({2, 2}), g.Ints({1}, {2}), g.Floats({}, {0})}, {g.Float({3, 2})});
       },
       "the dilations must be a constant with one positive entry for each axis"},
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DILATE, {g.Float({}), g.Ints({0}, {}), g.Floats({}, {0})}, {g.Float({})});
       },
       "-> float32[]"},
      {"two padding values",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DILATE, {g.Float({2}), g.Ints({1}, {2}), g.Floats({2}, {0, 1})}, {g.Float({3})});
       },
       "the padding value must be one element"},
      {"huge padding",
       [](TestSubgraph& g) {
         const int node = g.Op(BuiltinOperator_STABLEHLO_PAD, {g.Float({2}), g.Floats({}, {0})}, {g.Float({2})});
         g.node(node).builtin_options_2.Set(OPTIONS(StablehloPadOptionsT, o.edge_padding_low = {int64_t{1} << 40},
                                                    o.edge_padding_high = {0}, o.interior_padding = {0}));
       },
       "paddings between elements must not be negative, and none may be huge"},
      {"lowest padding",
       [](TestSubgraph& g) {
         const int node = g.Op(BuiltinOperator_STABLEHLO_PAD, {g.Float({2}), g.Floats({}, {0})}, {g.Float({2})});
         g.node(node).builtin_options_2.Set(OPTIONS(StablehloPadOptionsT, o.edge_padding_low = {INT64_MIN},
                                                    o.edge_padding_high = {0}, o.interior_padding = {0}));
       },
       "paddings between elements must not be negative, and none may be huge"},
      {"negative padding of all elements",
       [](TestSubgraph& g) {
         const int node = g.Op(BuiltinOperator_STABLEHLO_PAD, {g.Float({2}), g.Floats({}, {0})}, {g.Float({0})});
         g.node(node).builtin_options_2.Set(OPTIONS(StablehloPadOptionsT, o.edge_padding_low = {-1},
                                                    o.edge_padding_high = {-1}, o.interior_padding = {0}));
       },
       "nothing is left of axis 0"},
      {"negative padding between elements",
       [](TestSubgraph& g) {
         const int node = g.Op(BuiltinOperator_STABLEHLO_PAD, {g.Float({2}), g.Floats({}, {0})}, {g.Float({1})});
         g.node(node).builtin_options_2.Set(OPTIONS(StablehloPadOptionsT, o.edge_padding_low = {0},
                                                    o.edge_padding_high = {0}, o.interior_padding = {-1}));
       },
       "paddings between elements must not be negative, and none may be huge"},
      {"paddings of 2^24 on 5 axes",
       [](TestSubgraph& g) {
         const int node = g.Op(BuiltinOperator_STABLEHLO_PAD, {g.Float({1, 1, 1, 1, 1}), g.Floats({}, {0})},
                               {g.Float({1, 1, 1, 1, 1})});
         g.node(node).builtin_options_2.Set(OPTIONS(
             StablehloPadOptionsT, o.edge_padding_low = std::vector<int64_t>(5, 1 << 24),
             o.edge_padding_high = std::vector<int64_t>(5, 0), o.interior_padding = std::vector<int64_t>(5, 0)));
       },
       "WebNN returns float32[16777217,16777217,16777217,16777217,16777217], but tensor 2 't2' is float32[1,1,1,1,1]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
