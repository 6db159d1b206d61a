#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "delegate/ops/families.h"

// Ops that compare each element with a list, and ops that reorder by constant positions.
namespace tflite::webnn {
namespace {

// Each position of a ONE_HOT is a constant of the graph.
constexpr int kMaxDepth = 1 << 24;

Operand OneElement(const TensorView& tensor, GraphBuilder& builder) {
  const Operand element = builder.Tensor(tensor);
  if (builder.refused()) return Operand();
  if (builder.descriptor(element).element_count() != 1) return builder.Refuse("on and off values must be one element");
  return builder.Reshape(element, {});
}

// Inputs: indices, depth, on value, off value. Compares indices as [outer, 1, inner] with [depth, 1].
void LowerOneHot(const OpView& op, GraphBuilder& builder) {
  // Of int64, TFLite's kernel takes the lowest 32 bits, too.
  const Operand indices = builder.Cast(builder.Tensor(op.input(0)), DataType::kInt32);
  const Operand on_value = OneElement(op.input(2), builder);
  const Operand off_value = OneElement(op.input(3), builder);
  if (builder.refused()) return;
  const std::vector<int> shape = builder.shape(indices);
  const int rank = static_cast<int>(shape.size());
  const int axis = op.params<TfLiteOneHotParams>().axis;
  const std::vector<int> depth = op.input(1).ConstantInts();
  if (depth.size() != 1 || depth[0] < 1 || depth[0] > kMaxDepth || axis < -1 || axis > rank) {
    builder.Refuse("the depth must be a constant from 1 to 16777216, and the axis one of the result's");
    return;
  }
  int outer = 1;
  for (int i = 0; i < (axis < 0 ? rank : axis); ++i) outer *= shape[i];
  const int inner = static_cast<int>(builder.descriptor(indices).element_count()) / outer;
  std::vector<int32_t> positions(depth[0]);
  std::iota(positions.begin(), positions.end(), 0);
  const Operand is_on =
      builder.Compare("equal", builder.Reshape(indices, {outer, 1, inner}), builder.Constant({depth[0], 1}, positions));
  builder.SetOutput(op, 0, builder.Reshape(builder.Where(is_on, on_value, off_value), op.output(0).shape()));
}

// Counts the boundaries that are not above the element; NaN is above all of them.
void LowerBucketize(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteBucketizeParams>();
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  if (params.num_boundaries < 1) {
    builder.Refuse("there are no boundaries");
    return;
  }
  const int count = static_cast<int>(builder.descriptor(input).element_count());
  const Operand column = builder.Reshape(builder.Cast(input, DataType::kFloat32), {count, 1});
  const std::vector<float> boundaries(params.boundaries, params.boundaries + params.num_boundaries);
  const Operand is_below = builder.Compare("lesser", column, builder.Constant({params.num_boundaries}, boundaries));
  const Operand above = builder.Emit({"reduceSum",
                                      {{"input", builder.Cast(is_below, DataType::kInt32)}},
                                      {},
                                      {{"axes", std::vector<int>{1}}, {"keepDimensions", false}}},
                                     {DataType::kInt32, {count}});
  const Operand total = builder.Constant({}, std::vector<int32_t>{params.num_boundaries});
  builder.SetOutput(op, 0, builder.Reshape(builder.Binary("sub", total, above), op.output(0).shape()));
}

// Inputs: data, length of each batch's sequence. Reverses that many elements and keeps the rest.
void LowerReverseSequence(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteReverseSequenceParams>();
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const std::vector<int> shape = builder.shape(input);
  const int rank = static_cast<int>(shape.size());
  const std::vector<int> lengths = op.input(1).ConstantInts();
  const int axis = params.seq_dim;
  const int batch_axis = params.batch_dim;
  if (axis < 0 || axis >= rank || batch_axis < 0 || batch_axis >= rank || axis == batch_axis ||
      static_cast<int>(lengths.size()) != shape[batch_axis]) {
    builder.Refuse("the lengths must be a constant with one entry for each batch, both axes different ones");
    return;
  }
  for (int length : lengths) {
    if (length < 0 || length > shape[axis]) {
      builder.Refuse("a length is outside of the sequence");
      return;
    }
  }
  // Flattens the axes up to the later of the two to rows; a row's source differs in its position along `axis`.
  const int row_axes = std::max(axis, batch_axis) + 1;
  int64_t position_count = 1;
  for (int i = 0; i < row_axes; ++i) position_count *= shape[i];
  if (!builder.CanMake(position_count)) return;
  const int row_count = static_cast<int>(position_count);
  int step = 1;
  for (int i = axis + 1; i < row_axes; ++i) step *= shape[i];
  std::vector<int32_t> sources(row_count);
  std::vector<int> position(row_axes, 0);
  for (int row = 0; row < row_count; ++row) {
    const int at = position[axis];
    const int length = lengths[position[batch_axis]];
    sources[row] = at < length ? row + (length - 1 - 2 * at) * step : row;
    for (int i = row_axes - 1; i >= 0 && ++position[i] == shape[i]; --i) position[i] = 0;
  }
  const int row_size = static_cast<int>(builder.descriptor(input).element_count()) / row_count;
  const Operand rows = builder.Reshape(input, {row_count, row_size});
  builder.SetOutput(op, 0, builder.Reshape(builder.Gather(rows, sources, 0), shape));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinReverseSequence, LowerReverseSequence, kCopied, "reshape, gather", "lengths not constant"},
    {kTfLiteBuiltinOneHot, LowerOneHot, kUnknown, "equal, where", "depth not constant"},
    {kTfLiteBuiltinBucketize, LowerBucketize, kUnknown, "cast, lesser, reduceSum, sub", ""},
};

}  // namespace

constinit const OpRows kEncodingOps = kRows;

}  // namespace tflite::webnn
