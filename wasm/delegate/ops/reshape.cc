#include <vector>

#include "delegate/ops/ops.h"

namespace tflite::webnn {

// RESHAPE, SQUEEZE and EXPAND_DIMS: TFLite has already worked out the output's shape.
void LowerReshape(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  if (op.HasInput(1) && !op.input(1).IsConstant()) {
    builder.Refuse("the new shape is computed at run time; WebNN needs a constant");
    return;
  }
  const std::vector<int> shape = op.output(0).shape();
  const Operand output =
      builder.Emit({"reshape", {{"input", input}}, {shape}}, {builder.descriptor(input).data_type, shape});
  builder.SetOutput(op, 0, output);
}

void LowerTranspose(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  std::vector<int> permutation = op.input(1).ConstantInts();
  const int rank = builder.descriptor(input).rank();
  if (static_cast<int>(permutation.size()) != rank) {
    builder.Refuse("the permutation must be a constant with one entry for each axis");
    return;
  }
  for (int& axis : permutation) {
    if (axis < 0) axis += rank;
  }
  builder.SetOutput(op, 0, builder.Transpose(input, permutation));
}

// [n, h, w, b * b * c] -> [n, h, w, b, b, c] -> [n, h, b, w, b, c] -> [n, h * b, w * b, c]
void LowerDepthToSpace(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const std::vector<int> shape = builder.shape(input);
  const int block = op.params<TfLiteDepthToSpaceParams>().block_size;
  if (shape.size() != 4 || block <= 0) {
    builder.Refuse("input must have rank 4 and the block size must be positive");
    return;
  }
  const int channels = shape[3] / (block * block);
  const Operand blocks = builder.Reshape(input, {shape[0], shape[1], shape[2], block, block, channels});
  const Operand interleaved = builder.Transpose(blocks, {0, 1, 3, 2, 4, 5});
  builder.SetOutput(op, 0, builder.Reshape(interleaved, {shape[0], shape[1] * block, shape[2] * block, channels}));
}

}  // namespace tflite::webnn
