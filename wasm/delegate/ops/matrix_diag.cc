#include <algorithm>
#include <string>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// A matrix of booleans, true on the diagonal.
Operand DiagonalMask(int rows, int columns, GraphBuilder& builder) {
  if (!builder.CanMake(int64_t{rows} * columns)) return Operand();
  std::vector<int64_t> mask(static_cast<size_t>(rows) * columns, 0);
  for (int i = 0; i < rows && i < columns; ++i) mask[static_cast<size_t>(i) * columns + i] = 1;
  return builder.Constant(DataType::kUint8, {rows, columns}, mask);
}

// The matrices with the vectors of `diagonal`, as columns, on their diagonals. Uses `where`: a product with the mask
// would turn infinities into NaN.
Operand WithDiagonal(Operand matrices, Operand diagonal, int rows, int columns, GraphBuilder& builder) {
  std::vector<int> column_shape = builder.shape(diagonal);
  column_shape.push_back(1);
  const Operand mask = DiagonalMask(rows, columns, builder);
  return builder.Where(mask, builder.Reshape(diagonal, column_shape), matrices);
}

Operand LowerMatrixDiag(const OpView& op, GraphBuilder& builder) {
  const Operand diagonal = builder.Tensor(op.input(0));
  if (op.input(0).rank() < 1) return builder.Reject("the diagonal must have rank 1 or more");
  const Operand zero = builder.Scalar(builder.descriptor(diagonal).data_type, 0);
  const int size = op.input(0).dim(-1);
  return WithDiagonal(zero, diagonal, size, size, builder);
}

Operand LowerMatrixSetDiag(const OpView& op, GraphBuilder& builder) {
  const Operand matrices = builder.Tensor(op.input(0));
  Operand diagonal = builder.Tensor(op.input(1));
  if (op.input(0).rank() < 2 || op.input(1).rank() != op.input(0).rank() - 1)
    return builder.Reject("the matrices must have one axis more than the diagonals, and two or more");
  const int rows = op.input(0).dim(-2);
  const int columns = op.input(0).dim(-1);
  const int length = op.input(1).dim(-1);
  if (length != std::min(rows, columns)) {
    return builder.Reject("the diagonals must be as long as the matrices' shorter side, found " +
                          std::to_string(length));
  }
  if (length < rows) {  // rows below the diagonal's end: any value, as the mask is false there
    if (!builder.CanMake(rows)) return Operand();
    std::vector<int32_t> indices(rows, 0);
    for (int i = 0; i < length; ++i) indices[i] = i;
    diagonal = builder.Gather(diagonal, indices, op.input(1).rank() - 1);
  }
  return WithDiagonal(matrices, diagonal, rows, columns, builder);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinMatrixDiag, LowerMatrixDiag, kUnknown, "reshape, where", ""},
    {kTfLiteBuiltinMatrixSetDiag, LowerMatrixSetDiag, kCopied, "reshape, where", ""},
};

}  // namespace

constinit const OpEntries kMatrixDiagOps = kEntries;

}  // namespace tflite::webnn
