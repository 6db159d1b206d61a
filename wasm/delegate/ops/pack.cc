#include <map>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// Concatenates the inputs along a new axis.
Operand LowerPack(const OpView& op, GraphBuilder& builder) {
  const std::vector<int> output_shape = op.output(0).shape();
  const int axis = NormalizeAxis(op.params<TfLitePackParams>().axis, static_cast<int>(output_shape.size()));
  std::vector<int> part_shape = output_shape;
  if (axis < 0 || axis >= static_cast<int>(part_shape.size())) return builder.Reject("the axis does not exist");
  part_shape[axis] = 1;
  std::vector<Operand> parts;
  std::map<int, Operand> reshaped;  // by tensor: a file names one again for four bytes
  for (int i = 0; i < op.input_count(); ++i) {
    if (op.input(i).shape() != op.input(0).shape()) return builder.Reject("the inputs have different shapes");
    const auto [part, is_new] = reshaped.try_emplace(op.input(i).index());
    if (is_new) part->second = builder.Reshape(builder.Tensor(op.input(i)), part_shape);
    parts.push_back(part->second);
  }
  return builder.Concat(parts, axis);
}

Operand LowerUnpack(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  OperandDescriptor part = builder.descriptor(input);
  const int axis = NormalizeAxis(op.params<TfLiteUnpackParams>().axis, part.rank());
  if (axis < 0 || axis >= part.rank() || part.shape[axis] != op.output_count())
    return builder.Reject("the number of outputs differs from the size of the axis");
  part.shape[axis] = 1;
  const std::vector<OperandDescriptor> outputs(op.output_count(), part);
  const std::vector<int> sizes(op.output_count(), 1);
  const std::vector<Operand> parts =
      builder.EmitMany({"split", {{"input", input}}, {sizes}, {{"axis", axis}}}, outputs);
  for (int i = 0; i < op.output_count(); ++i) {
    builder.SetOutput(op, i, builder.Reshape(parts[i], op.output(i).shape()));
  }
  return Operand();
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinPack, LowerPack, kCopied, "reshape, concat", ""},
    {kTfLiteBuiltinUnpack, LowerUnpack, kCopied, "split, reshape", ""},
};

}  // namespace

constinit const OpEntries kPackOps = kEntries;

}  // namespace tflite::webnn
