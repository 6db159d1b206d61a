#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(SpaceToDepthLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DEPTH_TO_SPACE, {g.Float({})}, {g.Float({})},
              OPTIONS(DepthToSpaceOptionsT, o.block_size = 2));
       },
       "input must have rank 4 and the block size must be positive"},
      {"blocks of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPACE_TO_DEPTH, {g.Float({1, 2, 2, 1})}, {g.Float({1, 1, 1, 4})},
              OPTIONS(SpaceToDepthOptionsT, o.block_size = 0));
       },
       "input must have rank 4 and the block size must be positive"},
      {"huge blocks",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DEPTH_TO_SPACE, {g.Float({1, 2, 2, 4})}, {g.Float({1, 4, 4, 1})},
              OPTIONS(DepthToSpaceOptionsT, o.block_size = 1 << 16));
       },
       "input must have rank 4 and the block size must be positive"},
      {"blocks that do not divide the channels",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DEPTH_TO_SPACE, {g.Float({1, 2, 2, 3})}, {g.Float({1, 4, 4, 1})},
              OPTIONS(DepthToSpaceOptionsT, o.block_size = 2));
       },
       "the blocks do not divide axis 3"},
      {"blocks that do not divide the image",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPACE_TO_DEPTH, {g.Float({1, 3, 3, 1})}, {g.Float({1, 1, 1, 4})},
              OPTIONS(SpaceToDepthOptionsT, o.block_size = 2));
       },
       "the blocks do not divide axis 1"},
      {"a batch of no axes",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPACE_TO_BATCH_ND, {g.Float({}), g.Ints({0}, {}), g.Ints({0, 2}, {})}, {g.Float({})},
              SpaceToBatchNDOptionsT());
       },
       "block shape and paddings or crops must be constants that fit the input"},
      {"batch blocks of 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPACE_TO_BATCH_ND, {g.Float({1, 2, 1}), g.Ints({1}, {0}), g.Ints({1, 2}, {0, 0})},
              {g.Float({2, 1, 1})}, SpaceToBatchNDOptionsT());
       },
       "blocks must be positive, and paddings or crops neither negative nor huge"},
      {"batch blocks that do not divide the image",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPACE_TO_BATCH_ND, {g.Float({1, 3, 1}), g.Ints({1}, {2}), g.Ints({1, 2}, {0, 0})},
              {g.Float({2, 1, 1})}, SpaceToBatchNDOptionsT());
       },
       "the blocks do not divide the padded input"},
      {"huge batch paddings",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPACE_TO_BATCH_ND,
              {g.Float({1, 2, 1}), g.Ints({1}, {2}), g.Ints({1, 2}, {INT32_MAX, INT32_MAX})}, {g.Float({2, 1, 1})},
              SpaceToBatchNDOptionsT());
       },
       "blocks must be positive, and paddings or crops neither negative nor huge"},
      {"crops of more than the image",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_TO_SPACE_ND, {g.Float({2, 1, 1}), g.Ints({1}, {2}), g.Ints({1, 2}, {2, 2})},
              {g.Float({1, 0, 1})}, BatchToSpaceNDOptionsT());
       },
       "the slice of [1,-2,1] from [0,2,0] is not within [1,2,1]"},
      {"blocks whose product is 2^32",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_TO_SPACE_ND,
              {g.Float({2, 1, 1, 1}), g.Ints({2}, {1 << 16, 1 << 16}), g.Ints({2, 2}, {0, 0, 0, 0})},
              {g.Float({1, 1, 1, 1})}, BatchToSpaceNDOptionsT());
       },
       "the blocks do not divide the batch"},
      {"negative crops",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BATCH_TO_SPACE_ND, {g.Float({2, 1, 1}), g.Ints({1}, {2}), g.Ints({1, 2}, {-1, 0})},
              {g.Float({1, 3, 1})}, BatchToSpaceNDOptionsT());
       },
       "blocks must be positive, and paddings or crops neither negative nor huge"},
  });
}

TEST(SpaceToDepthLoweringTest, Calls) {
  ExpectCalls({
      {"channels become pixels",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_DEPTH_TO_SPACE, {g.Float({1, 1, 2, 4})}, {g.Float({1, 2, 4, 1})},
              OPTIONS(DepthToSpaceOptionsT, o.block_size = 2));
       },
       "reshape(t0, [1,2,2,2])\ntranspose(%0, permutation=[0,2,1,3])\nreshape(%1, [1,2,4,1])\n-> float32[1,2,4,1]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
