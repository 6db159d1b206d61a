#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

void LowerConcatenation(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteConcatenationParams>();
  std::vector<Operand> inputs;
  for (int i = 0; i < op.input_count(); ++i) {
    if (NumElements(&op.input(i).tensor()) > 0) inputs.push_back(builder.Tensor(op.input(i)));
  }
  if (inputs.empty()) builder.Refuse("all of its inputs are empty");
  if (builder.refused()) return;
  const int axis = NormalizeAxis(params.axis, builder.descriptor(inputs[0]).rank());
  builder.SetOutput(op, 0, builder.OutputActivation(op, builder.Concat(inputs, axis), params.activation));
}

// The outputs' shapes give the sizes of the parts.
void EmitSplit(const OpView& op, const TensorView& value, const TensorView& axis_tensor, GraphBuilder& builder) {
  const Operand input = builder.Tensor(value);
  if (builder.refused()) return;
  const int axis = ConstantAxis(axis_tensor, builder.descriptor(input).rank(), builder);
  if (builder.refused()) return;
  std::vector<int> sizes;
  std::vector<OperandDescriptor> outputs;
  for (int i = 0; i < op.output_count(); ++i) {
    outputs.push_back({builder.descriptor(input).data_type, op.output(i).shape()});
    sizes.push_back(op.output(i).dim(axis));
  }
  const std::vector<Operand> parts =
      builder.EmitMany({"split", {{"input", input}}, {sizes}, {{"axis", axis}}}, outputs);
  for (int i = 0; i < op.output_count(); ++i) builder.SetOutput(op, i, parts[i]);
}

// Inputs: axis, value.
void LowerSplit(const OpView& op, GraphBuilder& builder) { EmitSplit(op, op.input(1), op.input(0), builder); }

// Inputs: value, sizes, axis.
void LowerSplitV(const OpView& op, GraphBuilder& builder) {
  if (!op.input(1).IsConstant()) {
    builder.Refuse("the sizes must be a constant");
    return;
  }
  EmitSplit(op, op.input(0), op.input(2), builder);
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinConcatenation, LowerConcatenation, kReal, "concat", ""},
    {kTfLiteBuiltinSplit, LowerSplit, kCopied, "split", "axis not constant"},
    {kTfLiteBuiltinSplitV, LowerSplitV, kCopied, "split", "sizes or axis not constant"},
};

}  // namespace

constinit const OpRows kConcatenationOps = kRows;

}  // namespace tflite::webnn
