#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(MatrixDiagLoweringTest, Edges) {
  ExpectLowerings({
      {"diagonal of rank 0",
       [](TestSubgraph& g) { g.Op(BuiltinOperator_MATRIX_DIAG, {g.Float({})}, {g.Float({})}, MatrixDiagOptionsT()); },
       "the diagonal must have rank 1 or more"},
      {"diagonal of no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MATRIX_DIAG, {g.Float({0})}, {g.Float({0, 0})}, MatrixDiagOptionsT());
       },
       "tensor 0 't0' has shape [0]; WebNN needs every dimension known and above 0"},
      {"diagonal of 5000 elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MATRIX_DIAG, {g.Float({5000})}, {g.Float({5000, 5000})}, MatrixDiagOptionsT());
       },
       "WebNN needs a table of 25000000 elements for it"},
      {"matrix of rank 1",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MATRIX_SET_DIAG, {g.Float({2}), g.Float({})}, {g.Float({2})}, MatrixSetDiagOptionsT());
       },
       "the matrices must have one axis more than the diagonals, and two or more"},
      {"diagonal that is too short",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MATRIX_SET_DIAG, {g.Float({2, 3}), g.Float({1})}, {g.Float({2, 3})},
              MatrixSetDiagOptionsT());
       },
       "the diagonals must be as long as the matrices' shorter side, found 1"},
      {"more rows than columns",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_MATRIX_SET_DIAG, {g.Float({3, 2}), g.Float({2})}, {g.Float({3, 2})},
              MatrixSetDiagOptionsT());
       },
       "gather reshape where -> float32[3,2]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
