#include <algorithm>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

Operand LowerTile(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const std::vector<int> repetitions = op.input(1).ConstantInts();
  if (repetitions.size() != builder.shape(input).size() ||
      std::ranges::any_of(repetitions, [](int n) { return n < 1; }))
    return builder.Reject("the multiples must be a constant with one positive entry for each axis");
  const OperandDescriptor output{builder.descriptor(input).data_type, op.output(0).shape()};
  return builder.Emit({"tile", {{"input", input}}, {repetitions}}, output);
}

Operand LowerBroadcastTo(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (!op.input(1).IsConstant()) return builder.Reject("the new shape must be a constant");
  const OperandDescriptor output{builder.descriptor(input).data_type, op.output(0).shape()};
  return builder.Emit({"expand", {{"input", input}}, {output.shape}}, output);
}

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinTile, LowerTile, kCopied, "tile", "multiples not constant"},
    {kTfLiteBuiltinBroadcastTo, LowerBroadcastTo, kCopied, "expand", "shape not constant"},
};

}  // namespace

constinit const OpRows kTileOps = kRows;

}  // namespace tflite::webnn
