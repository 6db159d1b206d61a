#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(SliceLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SLICE, {g.Float({}), g.Ints({0}, {}), g.Ints({0}, {})}, {g.Float({})}, SliceOptionsT());
       },
       "slice -> float32[]"},
      {"begin past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SLICE, {g.Float({3}), g.Ints({1}, {4}), g.Ints({1}, {1})}, {g.Float({1})},
              SliceOptionsT());
       },
       "the slice of [1] from [4] is not within [3]"},
      {"size past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SLICE, {g.Float({3}), g.Ints({1}, {1}), g.Ints({1}, {3})}, {g.Float({3})},
              SliceOptionsT());
       },
       "the slice of [3] from [1] is not within [3]"},
      {"negative begin",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SLICE, {g.Float({3}), g.Ints({1}, {-1}), g.Ints({1}, {-1})}, {g.Float({1})},
              SliceOptionsT());
       },
       "the slice of [-1] from [-1] is not within [3]"},
      {"highest begin and size",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SLICE, {g.Float({3}), g.Ints({1}, {INT32_MAX}), g.Ints({1}, {INT32_MAX})}, {g.Float({1})},
              SliceOptionsT());
       },
       "the slice of [2147483647] from [2147483647] is not within [3]"},
      {"int64 size beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SLICE,
              {g.Float({3}), g.Constant<int64_t>(TensorType_INT64, {1}, {0}),
               g.Constant<int64_t>(TensorType_INT64, {1}, {int64_t{1} << 40})},
              {g.Float({3})}, SliceOptionsT());
       },
       "the slice of [2147483647] from [0] is not within [3]"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SLICE, {g.Float({3}), g.Ints({1}, {0}), g.Ints({1}, {0})}, {g.Float({0})},
              SliceOptionsT());
       },
       "the slice of [0] from [0] is not within [3]"},
      {"strides of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STRIDED_SLICE, {g.Float({3}), g.Ints({1}, {0}), g.Ints({1}, {3}), g.Ints({1}, {0})},
              {g.Float({3})}, OPTIONS(StridedSliceOptionsT, o.begin_mask = 0));
       },
       "begin, end and strides must be constants of one length, strides not 0"},
      {"lowest stride",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STRIDED_SLICE,
              {g.Float({3}), g.Ints({1}, {2}), g.Ints({1}, {-9}), g.Ints({1}, {INT32_MIN})}, {g.Float({1})},
              OPTIONS(StridedSliceOptionsT, o.begin_mask = 0));
       },
       "reverse slice -> float32[1]"},
      {"ends beyond int",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STRIDED_SLICE,
              {g.Float({3}), g.Ints({1}, {INT32_MIN}), g.Ints({1}, {INT32_MAX}), g.Ints({1}, {1})}, {g.Float({3})},
              OPTIONS(StridedSliceOptionsT, o.offset = true));
       },
       "slice -> float32[3]"},
      {"shrunk axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STRIDED_SLICE, {g.Float({3}), g.Ints({1}, {3}), g.Ints({1}, {4}), g.Ints({1}, {1})},
              {g.Float({})}, OPTIONS(StridedSliceOptionsT, o.shrink_axis_mask = 1));
       },
       "the slice is empty"},
      {"more entries than axes",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STRIDED_SLICE,
              {g.Float({3}), g.Ints({2}, {0, 0}), g.Ints({2}, {1, 1}), g.Ints({2}, {1, 1})}, {g.Float({1, 1})},
              OPTIONS(StridedSliceOptionsT, o.begin_mask = 0));
       },
       "begin has more entries than the input has axes"},
      {"a scalar with a new axis",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STRIDED_SLICE, {g.Float({}), g.Ints({1}, {0}), g.Ints({1}, {1}), g.Ints({1}, {1})},
              {g.Float({1})}, OPTIONS(StridedSliceOptionsT, o.new_axis_mask = 1));
       },
       "slice reshape -> float32[1]"},
      {"entries of no length",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STRIDED_SLICE, {g.Float({3}), g.Ints({0}, {}), g.Ints({0}, {}), g.Ints({0}, {})},
              {g.Float({3})}, OPTIONS(StridedSliceOptionsT, o.begin_mask = 0));
       },
       "begin, end and strides must be constants of one length, strides not 0"},
      {"reversed scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_V2, {g.Float({}), g.Ints({1}, {0})}, {g.Float({})}, ReverseV2OptionsT());
       },
       "the axes [0] are not axes of [], each once"},
      {"reversed axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_V2, {g.Float({2}), g.Ints({1}, {1})}, {g.Float({2})}, ReverseV2OptionsT());
       },
       "the axes [1] are not axes of [2], each once"},
  });
}

TEST(SliceLoweringTest, Calls) {
  ExpectCalls({
      {"an entire axis backwards",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_STRIDED_SLICE, {g.Float({4}), g.Ints({1}, {0}), g.Ints({1}, {0}), g.Ints({1}, {-1})},
              {g.Float({4})}, OPTIONS(StridedSliceOptionsT, o.begin_mask = 1, o.end_mask = 1));
       },
       "reverse(t0, axes=[0])\nslice(%0, [0], [4])\n-> float32[4]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
