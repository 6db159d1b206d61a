#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

struct Paddings {
  std::vector<int> begin;
  std::vector<int> end;
};

// Reads TFLite's second input, [rank, 2]: the paddings before and after each axis.
bool ReadPaddings(const OpView& op, GraphBuilder& builder, Paddings* paddings) {
  const std::vector<int> values = op.input(1).ConstantInts();
  if (values.empty() || static_cast<int>(values.size()) != 2 * op.input(0).rank()) {
    builder.Reject("the paddings must be a constant of shape [rank, 2]");
    return false;
  }
  for (size_t i = 0; i < values.size(); i += 2) {
    if (values[i] < 0 || values[i + 1] < 0) {
      builder.Reject("negative paddings have no WebNN operator");
      return false;
    }
    paddings->begin.push_back(values[i]);
    paddings->end.push_back(values[i + 1]);
  }
  return true;
}

Operand EmitPad(const OpView& op, Operand input, const Paddings& paddings, std::vector<Option> options,
                GraphBuilder& builder) {
  const std::vector<int> shape = op.output(0).shape();
  for (int axis = 0; axis < op.input(0).rank(); ++axis) {
    const int64_t size = int64_t{paddings.begin[axis]} + op.input(0).dim(axis) + paddings.end[axis];
    if (op.output(0).rank() != op.input(0).rank() || size != shape[axis]) {
      return builder.Reject("the paddings do not make the output's shape");
    }
  }
  return builder.Emit({"pad", {{"input", input}}, {paddings.begin, paddings.end}, std::move(options)},
                      {builder.descriptor(input).data_type, shape});
}

// Reads a constant of one number; as float32 if it is quantized.
bool ReadFillValue(const TensorView& tensor, Value* value) {
  float number = 0;
  if (tensor.ConstantFloat(&number)) {
    *value = number;
    return true;
  }
  const std::vector<int> integers = tensor.ConstantInts();
  if (integers.empty()) return false;
  // Numbers of int64 are limited to int, as one of these tells.
  if (integers[0] == std::numeric_limits<int>::max() || integers[0] == std::numeric_limits<int>::min()) {
    if (tensor.type() == kTfLiteInt64) return false;
  }
  *value = integers[0];
  return true;
}

// WebNN has no symmetric mode, which repeats the edge: gather each axis at mirrored positions.
Operand PadSymmetric(Operand x, const Paddings& paddings, GraphBuilder& builder) {
  for (int axis = 0; axis < static_cast<int>(paddings.begin.size()) && !builder.rejected(); ++axis) {
    const int size = builder.shape(x)[axis];
    const int begin = paddings.begin[axis];
    const int end = paddings.end[axis];
    if (begin == 0 && end == 0) continue;
    if (!builder.CanMake(int64_t{begin} + size + end)) return Operand();
    std::vector<int32_t> positions;
    for (int i = begin; i > 0; --i) positions.push_back(i - 1);
    for (int i = 0; i < size; ++i) positions.push_back(i);
    for (int i = 0; i < end; ++i) positions.push_back(size - 1 - i);
    x = builder.Gather(x, positions, axis);
  }
  return x;
}

// PAD fills with zeros, PADV2 with its third input.
Operand LowerPad(const OpView& op, GraphBuilder& builder) {
  Paddings paddings;
  const Operand input = builder.Tensor(op.input(0));
  if (!ReadPaddings(op, builder, &paddings)) return Operand();
  Value value = 0.0f;
  if (op.HasInput(2) && !ReadFillValue(op.input(2), &value))
    return builder.Reject("the fill value must be a constant number of the input's type, within the range of int32");
  return EmitPad(op, input, paddings, {{"mode", "constant"}, {"value", value}}, builder);
}

Operand LowerMirrorPad(const OpView& op, GraphBuilder& builder) {
  Paddings paddings;
  const Operand input = builder.Tensor(op.input(0));
  if (!ReadPaddings(op, builder, &paddings)) return Operand();
  const bool reflect = op.params<TfLiteMirrorPaddingParams>().mode == kTfLiteMirrorPaddingReflect;
  for (int axis = 0; axis < op.input(0).rank(); ++axis) {
    const int mirrored = op.input(0).dim(axis) - (reflect ? 1 : 0);
    if (std::max(paddings.begin[axis], paddings.end[axis]) > mirrored) {
      builder.Reject("axis " + std::to_string(axis) + " has too few elements to mirror");
    }
  }
  const Operand output = reflect ? EmitPad(op, input, paddings, {{"mode", "reflection"}}, builder)
                                 : PadSymmetric(input, paddings, builder);
  return output;
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinPad, LowerPad, kCopied, "pad", "paddings not constant"},
    {kTfLiteBuiltinPadv2, LowerPad, kCopied, "pad", "paddings or value not constant"},
    {kTfLiteBuiltinMirrorPad, LowerMirrorPad, kCopied, "pad; gather (symmetric)", "paddings not constant"},
};

}  // namespace

constinit const OpEntries kPaddingOps = kEntries;

}  // namespace tflite::webnn
