#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(PackLoweringTest, Edges) {
  ExpectLowerings({
      {"scalars",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PACK, {g.Float({}), g.Float({})}, {g.Float({2})},
              OPTIONS(PackOptionsT, o.values_count = 2));
       },
       "reshape reshape concat -> float32[2]"},
      {"axis from the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PACK, {g.Float({3}), g.Float({3})}, {g.Float({3, 2})},
              OPTIONS(PackOptionsT, o.values_count = 2, o.axis = -1));
       },
       "reshape reshape concat -> float32[3,2]"},
      {"axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PACK, {g.Float({3}), g.Float({3})}, {g.Float({2, 3})},
              OPTIONS(PackOptionsT, o.values_count = 2, o.axis = 2));
       },
       "the axis does not exist"},
      {"output of rank 0",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PACK, {g.Float({})}, {g.Float({})}, OPTIONS(PackOptionsT, o.values_count = 1));
       },
       "the axis does not exist"},
      {"parts of another shape",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_PACK, {g.Float({3}), g.Float({4})}, {g.Float({2, 3})},
              OPTIONS(PackOptionsT, o.values_count = 2));
       },
       "the inputs have different shapes"},
      {"unpacked scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_UNPACK, {g.Float({})}, {g.Float({})}, OPTIONS(UnpackOptionsT, o.num = 1));
       },
       "the number of outputs differs from the size of the axis"},
      {"unpacked vector",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_UNPACK, {g.Float({2})}, {g.Float({}), g.Float({})}, OPTIONS(UnpackOptionsT, o.num = 2));
       },
       "split reshape reshape -> float32[] float32[]"},
      {"fewer outputs than elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_UNPACK, {g.Float({3})}, {g.Float({}), g.Float({})}, OPTIONS(UnpackOptionsT, o.num = 2));
       },
       "the number of outputs differs from the size of the axis"},
      {"unpacked axis past the end",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_UNPACK, {g.Float({2})}, {g.Float({}), g.Float({})},
              OPTIONS(UnpackOptionsT, o.num = 2, o.axis = 1));
       },
       "the number of outputs differs from the size of the axis"},
  });
}

}  // namespace
}  // namespace tflite::webnn
