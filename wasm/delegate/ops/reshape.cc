#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// RESHAPE, SQUEEZE and EXPAND_DIMS: TFLite has already computed the output's shape.
Operand LowerReshape(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Elements(op.input(0));
  if (op.HasInput(1) && !op.input(1).IsConstant())
    return builder.Reject("the new shape is computed at run time; WebNN needs a constant");
  if (builder.HasAnyShape(op.output(0))) return input;
  const std::vector<int> shape = op.output(0).shape();
  const Operand output =
      builder.Emit({"reshape", {{"input", input}}, {shape}}, {builder.descriptor(input).data_type, shape});
  return output;
}

Operand LowerTranspose(const OpView& op, GraphBuilder& builder) {
  const TensorView input = op.input(0);
  std::vector<int> permutation = op.input(1).ConstantInts();
  const int rank = input.rank();
  if (static_cast<int>(permutation.size()) != rank)
    return builder.Reject("the permutation must be a constant with one entry for each axis");
  for (int& axis : permutation) axis = NormalizeAxis(axis, rank);
  Operand output;
  if (input.IsConstant()) {
    // Once, not in each run.
    output = builder.TransposedConstant(input, permutation);
  } else if (builder.HasAnyShape(input)) {
    output = builder.TransposeMerged(builder.Elements(input), input.shape(), permutation);
  } else if (builder.AcceptsRank("transpose", rank)) {
    output = builder.Transpose(builder.Tensor(input), permutation);
  } else {
    const Operand moved = builder.TransposeMerged(builder.Tensor(input), input.shape(), permutation);
    output = builder.Reshape(moved, op.output(0).shape());
  }
  return output;
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinReshape, LowerReshape, kCopied, "reshape", "shape not constant"},
    {kTfLiteBuiltinSqueeze, LowerReshape, kCopied, "reshape", ""},
    {kTfLiteBuiltinExpandDims, LowerReshape, kCopied, "reshape", "axis not constant"},
    {kTfLiteBuiltinTranspose, LowerTranspose, kCopied, "transpose", "permutation not constant"},
};

}  // namespace

constinit const OpEntries kReshapeOps = kEntries;

}  // namespace tflite::webnn
