#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(GatherLoweringTest, Edges) {
  ExpectLowerings({
      {"axis from the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2, 3}), g.Ints({1}, {2})}, {g.Float({2, 1})},
              OPTIONS(GatherOptionsT, o.axis = -1));
       },
       "gather -> float32[2,1]"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2, 3}), g.Ints({1}, {0})}, {g.Float({2, 1})},
              OPTIONS(GatherOptionsT, o.axis = 2));
       },
       "axis 2 and batch_dims 0 do not fit the input"},
      {"axis of a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({}), g.Ints({1}, {0})}, {g.Float({1})},
              OPTIONS(GatherOptionsT, o.axis = 0));
       },
       "axis 0 and batch_dims 0 do not fit the input"},
      {"batches past the axis",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2, 3}), g.Ints({2}, {0, 0})}, {g.Float({2})},
              OPTIONS(GatherOptionsT, o.batch_dims = 1));
       },
       "axis 0 and batch_dims 1 do not fit the input"},
      {"negative batches",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2, 3}), g.Ints({2}, {0, 0})}, {g.Float({2})},
              OPTIONS(GatherOptionsT, o.axis = 1, o.batch_dims = -2));
       },
       "axis 1 and batch_dims -2 do not fit the input"},
      {"index past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2, 3}), g.Ints({1}, {3})}, {g.Float({2, 1})},
              OPTIONS(GatherOptionsT, o.axis = 1));
       },
       "index 3 is outside of an axis of 3"},
      {"negative index",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2}), g.Ints({1}, {-1})}, {g.Float({1})},
              OPTIONS(GatherOptionsT, o.axis = 0));
       },
       "index -1 is outside of an axis of 2"},
      {"int64 index beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2}), g.Constant<int64_t>(TensorType_INT64, {1}, {int64_t{1} << 32})},
              {g.Float({1})}, OPTIONS(GatherOptionsT, o.axis = 0));
       },
       "index 2147483647 is outside of an axis of 2"},
      {"no indices",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2}), g.Tensor(TensorType_INT32, {0})}, {g.Float({0})},
              OPTIONS(GatherOptionsT, o.axis = 0));
       },
       "tensor 1 't1' has shape [0]; WebNN needs every dimension known and above 0"},
      {"indices of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2}), g.Ints({}, {1})}, {g.Float({})},
              OPTIONS(GatherOptionsT, o.axis = 0));
       },
       "gather -> float32[]"},
      {"indices of rank 0 of several axes",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_GATHER_ND, {g.Float({2}), g.Ints({}, {1})}, {g.Float({})}); },
       "the indices name no axis, or more axes than the input has"},
      {"more indices than axes",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_GATHER_ND, {g.Float({2}), g.Ints({1, 2}, {0, 0})}, {g.Float({1})}); },
       "the indices name no axis, or more axes than the input has"},
      {"indices of no axis",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER_ND, {g.Float({2}), g.Tensor(TensorType_INT32, {1, 0})}, {g.Float({1, 2})});
       },
       "tensor 1 't1' has shape [1,0]; WebNN needs every dimension known and above 0"},
      {"table of rank 0",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_EMBEDDING_LOOKUP, {g.Ints({1}, {0}), g.Float({})}, {g.Float({1})}); },
       "the table must have rows"},
      {"id past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_EMBEDDING_LOOKUP, {g.Ints({1}, {2}), g.Float({2, 3})}, {g.Float({1, 3})});
       },
       "index 2 is outside of an axis of 2"},
  });
}

TEST(GatherLoweringTest, Calls) {
  ExpectCalls({
      {"each batch has its own rows",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_GATHER, {g.Float({2, 3}), g.Tensor(TensorType_INT32, {2, 2})}, {g.Float({2, 2})},
              OPTIONS(GatherOptionsT, o.axis = 1, o.batch_dims = 1));
       },
       "reshape(t0, [6,1])\nreshape(t1, [2,1,2])\nadd(%1, {0,3})\ngather(%0, %2, axis=0)\nreshape(%3, [2,2])\n"
       "-> float32[2,2]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
