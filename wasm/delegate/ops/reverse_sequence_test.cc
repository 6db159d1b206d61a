#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(ReverseSequenceLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({}), g.Ints({0}, {})}, {g.Float({})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 0, o.batch_dim = 0));
       },
       "the lengths must be a constant with one entry for each batch, both axes different ones"},
      {"one axis for both",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({2}), g.Ints({2}, {1, 1})}, {g.Float({2})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 0, o.batch_dim = 0));
       },
       "the lengths must be a constant with one entry for each batch, both axes different ones"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({2, 3}), g.Ints({2}, {1, 1})}, {g.Float({2, 3})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 2, o.batch_dim = 0));
       },
       "the lengths must be a constant with one entry for each batch, both axes different ones"},
      {"negative axis",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({2, 3}), g.Ints({2}, {1, 1})}, {g.Float({2, 3})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = -1, o.batch_dim = 0));
       },
       "the lengths must be a constant with one entry for each batch, both axes different ones"},
      {"too few lengths",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({2, 3}), g.Ints({1}, {1})}, {g.Float({2, 3})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 1, o.batch_dim = 0));
       },
       "the lengths must be a constant with one entry for each batch, both axes different ones"},
      {"length past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({2, 3}), g.Ints({2}, {1, 4})}, {g.Float({2, 3})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 1, o.batch_dim = 0));
       },
       "a length is outside of the sequence"},
      {"negative length",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({2, 3}), g.Ints({2}, {-1, 1})}, {g.Float({2, 3})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 1, o.batch_dim = 0));
       },
       "a length is outside of the sequence"},
      {"int64 length beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE,
              {g.Float({1, 3}), g.Constant<int64_t>(TensorType_INT64, {1}, {int64_t{1} << 32})}, {g.Float({1, 3})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 1, o.batch_dim = 0));
       },
       "a length is outside of the sequence"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({0, 3}), g.Ints({0}, {})}, {g.Float({0, 3})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 1, o.batch_dim = 0));
       },
       "tensor 0 't0' has shape [0,3]; WebNN needs every dimension known and above 0"},
  });
}

TEST(ReverseSequenceLoweringTest, Calls) {
  ExpectCalls({
      {"each batch up to its length",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_REVERSE_SEQUENCE, {g.Float({2, 3}), g.Ints({2}, {2, 3})}, {g.Float({2, 3})},
              OPTIONS(ReverseSequenceOptionsT, o.seq_dim = 1, o.batch_dim = 0));
       },
       "reshape(t0, [6,1])\ngather(%0, {1,0,2,5,4,3}, axis=0)\nreshape(%1, [2,3])\n-> float32[2,3]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
