#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(PaddingLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PAD, {g.Float({}), g.Ints({0, 2}, {})}, {g.Float({})}, PadOptionsT());
       },
       "the paddings must be a constant of shape [rank, 2]"},
      {"negative padding",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PAD, {g.Float({2}), g.Ints({1, 2}, {-1, 0})}, {g.Float({1})}, PadOptionsT());
       },
       "negative paddings have no WebNN operator"},
      {"huge padding",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PAD, {g.Float({2}), g.Ints({1, 2}, {INT32_MAX, INT32_MAX})}, {g.Float({2})},
              PadOptionsT());
       },
       "the paddings do not make the output's shape"},
      {"int64 padding beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PAD, {g.Float({2}), g.Constant<int64_t>(TensorType_INT64, {1, 2}, {int64_t{1} << 40, 0})},
              {g.Float({2})}, PadOptionsT());
       },
       "the paddings do not make the output's shape"},
      {"paddings of other axes",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PAD, {g.Float({2}), g.Ints({2, 2}, {0, 0, 1, 1})}, {g.Float({2})}, PadOptionsT());
       },
       "the paddings must be a constant of shape [rank, 2]"},
      {"int64 value beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PADV2,
              {g.Tensor(TensorType_INT64, {2}), g.Ints({1, 2}, {1, 0}),
               g.Constant<int64_t>(TensorType_INT64, {}, {int64_t{1} << 40})},
              {g.Tensor(TensorType_INT64, {3})}, PadV2OptionsT());
       },
       "the fill value must be a constant number of the input's type, within the range of int32"},
      {"value of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PADV2, {g.Float({2}), g.Ints({1, 2}, {1, 0}), g.Float({0})}, {g.Float({3})},
              PadV2OptionsT());
       },
       "the fill value must be a constant number of the input's type, within the range of int32"},
      {"reflection of one element",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MIRROR_PAD, {g.Float({1}), g.Ints({1, 2}, {1, 0})}, {g.Float({2})}, MirrorPadOptionsT());
       },
       "axis 0 has too few elements to mirror"},
      {"symmetric padding of all elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MIRROR_PAD, {g.Float({2}), g.Ints({1, 2}, {2, 2})}, {g.Float({6})},
              OPTIONS(MirrorPadOptionsT, o.mode = MirrorPadMode_SYMMETRIC));
       },
       "gather -> float32[6]"},
  });
}

TEST(PaddingLoweringTest, Calls) {
  ExpectCalls({
      {"symmetric padding repeats both ends",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MIRROR_PAD, {g.Float({3}), g.Ints({1, 2}, {2, 1})}, {g.Float({6})},
              OPTIONS(MirrorPadOptionsT, o.mode = MirrorPadMode_SYMMETRIC));
       },
       "gather(t0, {1,0,0,1,2,2}, axis=0)\n-> float32[6]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
