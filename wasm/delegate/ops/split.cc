#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// The outputs' shapes determine the sizes of the parts.
Operand EmitSplit(const OpView& op, const TensorView& value, const TensorView& axis_tensor, GraphBuilder& builder) {
  const Operand input = builder.Tensor(value);
  const int axis = ConstantAxis(axis_tensor, builder.descriptor(input).rank(), builder);
  if (builder.rejected()) return Operand();
  std::vector<int> sizes;
  std::vector<OperandDescriptor> outputs;
  for (int i = 0; i < op.output_count(); ++i) {
    if (op.output(i).rank() != value.rank()) return builder.Reject("an output has another rank than the input");
    outputs.push_back({builder.descriptor(input).data_type, op.output(i).shape()});
    sizes.push_back(op.output(i).dim(axis));
  }
  const std::vector<Operand> parts =
      builder.EmitMany({"split", {{"input", input}}, {sizes}, {{"axis", axis}}}, outputs);
  for (int i = 0; i < op.output_count(); ++i) builder.SetOutput(op, i, parts[i]);
  return Operand();
}

// Inputs: axis, value.
Operand LowerSplit(const OpView& op, GraphBuilder& builder) { return EmitSplit(op, op.input(1), op.input(0), builder); }

// Inputs: value, sizes, axis.
Operand LowerSplitV(const OpView& op, GraphBuilder& builder) {
  if (!op.input(1).IsConstant()) return builder.Reject("the sizes must be a constant");
  return EmitSplit(op, op.input(0), op.input(2), builder);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinSplit, LowerSplit, kCopied, "split", "axis not constant"},
    {kTfLiteBuiltinSplitV, LowerSplitV, kCopied, "split", "sizes or axis not constant"},
};

}  // namespace

constinit const OpEntries kSplitOps = kEntries;

}  // namespace tflite::webnn
