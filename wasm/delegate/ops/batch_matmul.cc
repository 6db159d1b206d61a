#include <utility>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

std::vector<int> SwapLastAxes(int rank) {
  std::vector<int> permutation(rank);
  for (int axis = 0; axis < rank; ++axis) permutation[axis] = axis;
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  return permutation;
}

// The operand, with its last two axes swapped if `adjoint`. Constants are swapped while the graph
// is built.
Operand Factor(const TensorView& tensor, bool adjoint, GraphBuilder& builder) {
  if (!adjoint) return builder.Tensor(tensor);
  if (tensor.IsConstant()) return builder.TransposedConstant(tensor, SwapLastAxes(tensor.rank()));
  return builder.Transpose(builder.Tensor(tensor), SwapLastAxes(tensor.rank()));
}

Operand LowerBatchMatmul(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteBatchMatMulParams>();
  if (op.input(0).rank() < 2 || op.input(1).rank() < 2) return builder.Reject("both operands must have rank 2 or more");
  const Operand a = Factor(op.input(0), params.adj_x, builder);
  const Operand b = Factor(op.input(1), params.adj_y, builder);
  const OperandDescriptor output{builder.descriptor(a).data_type, op.output(0).shape()};
  return builder.Emit({"matmul", {{"a", a}, {"b", b}}}, output);
}

double ProductsPerElement(const OpView& op) { return op.LastSize(0); }

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinBatchMatmul, LowerBatchMatmul, kReal, "transpose, matmul", "", ProductsPerElement},
};

}  // namespace

constinit const OpEntries kBatchMatmulOps = kEntries;

}  // namespace tflite::webnn
