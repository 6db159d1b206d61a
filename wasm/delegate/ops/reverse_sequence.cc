#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// Inputs: data, length of each batch's sequence. Reverses that many elements and keeps the others.
Operand LowerReverseSequence(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteReverseSequenceParams>();
  const Operand input = builder.Tensor(op.input(0));
  const std::vector<int> shape = builder.shape(input);
  const int rank = static_cast<int>(shape.size());
  const std::vector<int> lengths = op.input(1).ConstantInts();
  const int axis = params.seq_dim;
  const int batch_axis = params.batch_dim;
  if (axis < 0 || axis >= rank || batch_axis < 0 || batch_axis >= rank || axis == batch_axis ||
      static_cast<int>(lengths.size()) != shape[batch_axis]) {
    return builder.Reject("the lengths must be a constant with one entry for each batch, both axes different ones");
  }
  for (int length : lengths) {
    if (length < 0 || length > shape[axis]) return builder.Reject("a length is outside of the sequence");
  }
  // Flattens the axes up to the later of the two to rows; a row's source differs in its position along `axis`.
  const int row_axes = std::max(axis, batch_axis) + 1;
  int64_t position_count = 1;
  for (int i = 0; i < row_axes; ++i) position_count *= shape[i];
  if (!builder.CanMake(position_count)) return Operand();
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
  return builder.Reshape(builder.Gather(rows, sources, 0), shape);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinReverseSequence, LowerReverseSequence, kCopied, "reshape, gather", "lengths not constant"},
};

}  // namespace

constinit const OpEntries kReverseSequenceOps = kEntries;

}  // namespace tflite::webnn
