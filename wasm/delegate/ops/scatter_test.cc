#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ScatterLoweringTest, Edges) {
  ExpectLowerings({
      {"indices of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Ints({}, {0}), g.Float({}), g.Ints({1}, {2})}, {g.Float({2})});
       },
       "the shape must be a constant, and the indices must name one to all of its axes"},
      {"index past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Ints({1, 1}, {2}), g.Float({1}), g.Ints({1}, {2})}, {g.Float({2})});
       },
       "index 2 is outside of an axis of 2"},
      {"negative index",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Ints({1, 1}, {-1}), g.Float({1}), g.Ints({1}, {2})}, {g.Float({2})});
       },
       "index -1 is outside of an axis of 2"},
      {"an index twice",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Ints({2, 1}, {1, 1}), g.Float({2}), g.Ints({1}, {2})}, {g.Float({2})});
       },
       "TFLite adds up the rows of one position, found two for position 1"},
      {"no updates",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Tensor(TensorType_INT32, {0, 1}), g.Float({0}), g.Ints({1}, {2})},
              {g.Float({2})});
       },
       "tensor 1 't1' has shape [0]; WebNN needs every dimension known and above 0"},
      {"fewer updates than indices",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Ints({2, 1}, {0, 1}), g.Float({1}), g.Ints({1}, {2})}, {g.Float({2})});
       },
       "there must be one update for each index"},
      {"rows of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Ints({1, 1}, {0}), g.Float({1, 0}), g.Ints({2}, {2, 0})},
              {g.Float({2, 0})});
       },
       "tensor 1 't1' has shape [1,0]; WebNN needs every dimension known and above 0"},
      {"2^26 positions",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Ints({1, 2}, {0, 0}), g.Float({1}), g.Ints({2}, {8192, 8192})},
              {g.Float({8192, 8192})});
       },
       "WebNN needs a table of 67108864 elements for it"},
      {"dense scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPARSE_TO_DENSE, {g.Ints({}, {1}), g.Ints({1}, {3}), g.Float({}), g.Float({})},
              {g.Float({3})}, SparseToDenseOptionsT());
       },
       "reshape reshape concat gather -> float32[3]"},
      {"dense index past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPARSE_TO_DENSE, {g.Ints({1}, {3}), g.Ints({1}, {3}), g.Float({1}), g.Float({})},
              {g.Float({3})}, SparseToDenseOptionsT());
       },
       "index 3 is outside of an axis of 3"},
      {"fewer values than indices",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SPARSE_TO_DENSE, {g.Ints({2}, {0, 1}), g.Ints({1}, {3}), g.Float({1}), g.Float({})},
              {g.Float({3})}, SparseToDenseOptionsT());
       },
       "there must be one value for all indices, or one for each"},
      {"dimension numbers of no row",
       [](TestSubgraph& g) {
         const int node =
             g.Op(BuiltinOperator_STABLEHLO_SCATTER, {g.Float({2}), g.Ints({1, 1}, {0}), g.Float({1})}, {g.Float({2})});
         g.node(node).builtin_options_2.Set(StablehloScatterOptionsT());
       },
       "only entire rows that overwrite others are scattered"},
  });
}

TEST(ScatterLoweringTest, Calls) {
  ExpectCalls({
      {"positions of two axes",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_SCATTER_ND, {g.Ints({2, 2}, {0, 1, 1, 2}), g.Float({2}), g.Ints({2}, {2, 3})},
              {g.Float({2, 3})}, ScatterNdOptionsT());
       },
       "reshape(t1, [2,1])\nconcat([%0, {0}], 0)\ngather(%1, {2,0,2,2,2,1}, axis=0)\nreshape(%2, [2,3])\n"
       "-> float32[2,3]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
