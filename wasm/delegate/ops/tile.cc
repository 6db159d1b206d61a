#include <cstdint>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

Operand LowerTile(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const std::vector<int> repetitions = op.input(1).ConstantInts();
  const OperandDescriptor output{builder.descriptor(input).data_type, op.output(0).shape()};
  const std::vector<int>& shape = builder.shape(input);
  bool fits = repetitions.size() == shape.size() && output.shape.size() == shape.size();
  for (size_t i = 0; fits && i < shape.size(); ++i) fits = int64_t{shape[i]} * repetitions[i] == output.shape[i];
  if (!fits) return builder.Reject("the multiples must be a constant that makes the output's shape of the input's");
  return builder.Emit({"tile", {{"input", input}}, {repetitions}}, output);
}

Operand LowerBroadcastTo(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (!op.input(1).IsConstant()) return builder.Reject("the new shape must be a constant");
  const OperandDescriptor output{builder.descriptor(input).data_type, op.output(0).shape()};
  return builder.Emit({"expand", {{"input", input}}, {output.shape}}, output);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinTile, LowerTile, kCopied, "tile", "multiples not constant"},
    {kTfLiteBuiltinBroadcastTo, LowerBroadcastTo, kCopied, "expand", "shape not constant"},
};

}  // namespace

constinit const OpEntries kTileOps = kEntries;

}  // namespace tflite::webnn
