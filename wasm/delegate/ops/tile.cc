#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

void LowerTile(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const std::vector<int> repetitions = op.input(1).ConstantInts();
  if (repetitions.size() != builder.shape(input).size()) {
    builder.Reject("the multiples must be a constant with one entry for each axis");
    return;
  }
  const OperandDescriptor output{builder.descriptor(input).data_type, op.output(0).shape()};
  builder.SetOutput(op, 0, builder.Emit({"tile", {{"input", input}}, {repetitions}}, output));
}

void LowerBroadcastTo(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (!op.input(1).IsConstant()) {
    builder.Reject("the new shape must be a constant");
    return;
  }
  const OperandDescriptor output{builder.descriptor(input).data_type, op.output(0).shape()};
  builder.SetOutput(op, 0, builder.Emit({"expand", {{"input", input}}, {output.shape}}, output));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinTile, LowerTile, kCopied, "tile", "multiples not constant"},
    {kTfLiteBuiltinBroadcastTo, LowerBroadcastTo, kCopied, "expand", "shape not constant"},
};

}  // namespace

constinit const OpRows kTileOps = kRows;

}  // namespace tflite::webnn
