#include <cstdint>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(TileLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TILE, {g.Float({}), g.Ints({0}, {})}, {g.Float({})}, TileOptionsT());
       },
       "tile -> float32[]"},
      {"no copies",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TILE, {g.Float({2}), g.Ints({1}, {0})}, {g.Float({0})}, TileOptionsT());
       },
       "tensor 2 't2' has shape [0]; WebNN needs every dimension known and above 0"},
      {"negative copies",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TILE, {g.Float({2}), g.Ints({1}, {-1})}, {g.Float({2})}, TileOptionsT());
       },
       "the multiples must be a constant that makes the output's shape of the input's"},
      {"too few multiples",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TILE, {g.Float({2, 2}), g.Ints({1}, {2})}, {g.Float({4, 2})}, TileOptionsT());
       },
       "the multiples must be a constant that makes the output's shape of the input's"},
      {"int64 copies beyond 2^31",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_TILE, {g.Float({2}), g.Constant<int64_t>(TensorType_INT64, {1}, {int64_t{1} << 32})},
              {g.Float({2})}, TileOptionsT());
       },
       "the multiples must be a constant that makes the output's shape of the input's"},
      {"a broadcast scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BROADCAST_TO, {g.Float({}), g.Ints({2}, {2, 3})}, {g.Float({2, 3})},
              BroadcastToOptionsT());
       },
       "expand -> float32[2,3]"},
      {"a broadcast to no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BROADCAST_TO, {g.Float({1}), g.Ints({1}, {0})}, {g.Float({0})}, BroadcastToOptionsT());
       },
       "tensor 2 't2' has shape [0]; WebNN needs every dimension known and above 0"},
  });
}

}  // namespace
}  // namespace tflite::webnn
