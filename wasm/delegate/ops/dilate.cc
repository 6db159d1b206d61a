#include <algorithm>
#include <string>
#include <vector>

#include "delegate/ops/families.h"

// Padding between and around elements, with any value of any type: a chain of concats.
namespace tflite::webnn {
namespace {

// The padding value `count` times along an axis, otherwise shaped like `like`.
Operand Padding(Operand value, Operand like, int axis, int count, GraphBuilder& builder) {
  if (builder.rejected()) return Operand();
  OperandDescriptor output = builder.descriptor(like);
  output.shape[axis] = count;
  return builder.Emit({"expand", {{"input", value}}, {output.shape}}, output);
}

// Inserts factor - 1 paddings between the elements of an axis.
Operand DilateAxis(Operand x, Operand value, int axis, int factor, GraphBuilder& builder) {
  if (builder.rejected() || factor == 1) return x;
  const std::vector<int> shape = builder.shape(x);
  std::vector<int> separate = shape;
  separate.insert(separate.begin() + axis + 1, 1);
  const Operand elements = builder.Reshape(x, separate);
  const Operand padded = builder.Concat({elements, Padding(value, elements, axis + 1, factor - 1, builder)}, axis + 1);
  std::vector<int> joined = shape;
  joined[axis] *= factor;
  std::vector<int> sizes = joined;
  sizes[axis] -= factor - 1;  // nothing follows the last element
  const std::vector<int> zeros(shape.size(), 0);
  return builder.Slice(builder.Reshape(padded, joined), zeros, sizes);
}

// Pads both ends of an axis; negative counts remove elements.
Operand PadAxis(Operand x, Operand value, int axis, int before, int after, GraphBuilder& builder) {
  if (builder.rejected()) return Operand();
  std::vector<int> starts(builder.shape(x).size(), 0);
  std::vector<int> sizes = builder.shape(x);
  starts[axis] = std::max(-before, 0);
  sizes[axis] += std::min(before, 0) + std::min(after, 0);
  if (sizes[axis] <= 0) return builder.Reject("nothing is left of axis " + std::to_string(axis));
  if (sizes != builder.shape(x)) x = builder.Slice(x, starts, sizes);
  std::vector<Operand> parts;
  if (before > 0) parts.push_back(Padding(value, x, axis, before, builder));
  parts.push_back(x);
  if (after > 0) parts.push_back(Padding(value, x, axis, after, builder));
  return parts.size() == 1 ? x : builder.Concat(parts, axis);
}

Operand PaddingValue(const TensorView& tensor, GraphBuilder& builder) {
  const Operand value = builder.Tensor(tensor);
  if (builder.descriptor(value).element_count() != 1) return builder.Reject("the padding value must be one element");
  return builder.Reshape(value, {});
}

Operand LowerDilate(const OpView& op, GraphBuilder& builder) {
  Operand x = builder.Tensor(op.input(0));
  const std::vector<int> factors = op.input(1).ConstantInts();
  const Operand value = PaddingValue(op.input(2), builder);
  if (factors.size() != builder.shape(x).size() ||
      std::any_of(factors.begin(), factors.end(), [](int factor) { return factor < 1; })) {
    return builder.Reject("the dilations must be a constant with one positive entry for each axis");
  }
  for (size_t axis = 0; axis < factors.size(); ++axis) x = DilateAxis(x, value, axis, factors[axis], builder);
  return x;
}

Operand LowerStablehloPad(const OpView& op, GraphBuilder& builder) {
  constexpr int64_t kLargest = 1 << 24;
  const auto& params = op.params<TfLiteStablehloPadParams>();
  Operand x = builder.Tensor(op.input(0));
  const Operand value = PaddingValue(op.input(1), builder);
  const int rank = op.input(0).rank();
  if (rank > TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT) return builder.Reject("more axes than paddings");
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t between = params.interior_padding[axis];
    const int64_t before = params.edge_padding_low[axis];
    const int64_t after = params.edge_padding_high[axis];
    if (between < 0 || std::max({between, before, after}) > kLargest || std::min(before, after) < -kLargest)
      return builder.Reject("paddings between elements must not be negative, and none may be huge");
    x = DilateAxis(x, value, axis, static_cast<int>(between) + 1, builder);
    x = PadAxis(x, value, axis, static_cast<int>(before), static_cast<int>(after), builder);
  }
  return x;
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinStablehloPad, LowerStablehloPad, kCopied, "concat, slice, reshape, expand", ""},
    {kTfLiteBuiltinDilate, LowerDilate, kCopied, "reshape, expand, concat, slice", "dilations not constant"},
};

}  // namespace

constinit const OpEntries kDilateOps = kEntries;

}  // namespace tflite::webnn
