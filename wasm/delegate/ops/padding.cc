#include <vector>

#include "delegate/ops/ops.h"

namespace tflite::webnn {
namespace {

struct Paddings {
  std::vector<int> begin;
  std::vector<int> end;
};

// TFLite's second input, [rank, 2]: before and after each axis.
bool ReadPaddings(const OpView& op, GraphBuilder& builder, Paddings* paddings) {
  const std::vector<int> values = op.input(1).ConstantInts();
  if (values.empty() || static_cast<int>(values.size()) != 2 * op.input(0).rank()) {
    builder.Refuse("the paddings must be a constant of shape [rank, 2]");
    return false;
  }
  for (size_t i = 0; i < values.size(); i += 2) {
    if (values[i] < 0 || values[i + 1] < 0) {
      builder.Refuse("negative paddings have no WebNN operator");
      return false;
    }
    paddings->begin.push_back(values[i]);
    paddings->end.push_back(values[i + 1]);
  }
  return true;
}

Operand EmitPad(const OpView& op, Operand input, const Paddings& paddings, std::vector<Option> options,
                GraphBuilder& builder) {
  if (builder.refused()) return Operand();
  return builder.Emit({"pad", {{"input", input}}, {paddings.begin, paddings.end}, std::move(options)},
                      {builder.descriptor(input).data_type, op.output(0).shape()});
}

// The mirror image of what lies within `count` of one edge of `axis`, edge included.
Operand MirroredEdge(Operand x, int axis, int start, int count, GraphBuilder& builder) {
  std::vector<int> starts(builder.descriptor(x).rank(), 0);
  std::vector<int> sizes = builder.shape(x);
  starts[axis] = start;
  sizes[axis] = count;
  const std::vector<int> strides(sizes.size(), 1);
  return builder.Reverse(builder.Slice(x, starts, sizes, strides), {axis});
}

// WebNN has no symmetric mode (the edge itself is repeated): put together axis by axis.
Operand PadSymmetric(Operand x, const Paddings& paddings, GraphBuilder& builder) {
  for (int axis = 0; axis < static_cast<int>(paddings.begin.size()) && !builder.refused(); ++axis) {
    const int size = builder.shape(x)[axis];
    const int begin = paddings.begin[axis];
    const int end = paddings.end[axis];
    std::vector<Operand> parts;
    if (begin > 0) parts.push_back(MirroredEdge(x, axis, 0, begin, builder));
    parts.push_back(x);
    if (end > 0) parts.push_back(MirroredEdge(x, axis, size - end, end, builder));
    if (parts.size() > 1) x = builder.Concat(parts, axis);
  }
  return x;
}

}  // namespace

// PAD fills with zeros, PADV2 with its third input.
void LowerPad(const OpView& op, GraphBuilder& builder) {
  Paddings paddings;
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused() || !ReadPaddings(op, builder, &paddings)) return;
  float value = 0;
  if (op.HasInput(2) && !op.input(2).ConstantFloat(&value)) {
    builder.Refuse("the fill value must be a constant float32, or quantized int8 or uint8");
    return;
  }
  builder.SetOutput(op, 0, EmitPad(op, input, paddings, {{"mode", "constant"}, {"value", value}}, builder));
}

void LowerMirrorPad(const OpView& op, GraphBuilder& builder) {
  Paddings paddings;
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused() || !ReadPaddings(op, builder, &paddings)) return;
  const bool reflect = op.params<TfLiteMirrorPaddingParams>().mode == kTfLiteMirrorPaddingReflect;
  const Operand output = reflect ? EmitPad(op, input, paddings, {{"mode", "reflection"}}, builder)
                                 : PadSymmetric(input, paddings, builder);
  builder.SetOutput(op, 0, output);
}

}  // namespace tflite::webnn
