#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "delegate/ops/families.h"

// Ops that move spatial positions to channels or batches and back: reshape, transpose (of merged axes), reshape.
namespace tflite::webnn {
namespace {

constexpr int kLargestBlock = 1 << 15;  // its square fits in an int
constexpr int kMaxPadding = 1 << 24;

// Checks the input and block size of DEPTH_TO_SPACE and SPACE_TO_DEPTH; 0 after a rejection.
int BlockSize(const OpView& op, int block_size, std::initializer_list<int> axes, GraphBuilder& builder) {
  if (op.input(0).rank() != 4 || block_size < 1 || block_size > kLargestBlock) {
    builder.Reject("input must have rank 4 and the block size must be positive");
    return 0;
  }
  for (int axis : axes) {
    const int divisor = axis == 3 ? block_size * block_size : block_size;
    if (op.input(0).dim(axis) % divisor != 0) builder.Reject("the blocks do not divide axis " + std::to_string(axis));
  }
  return block_size;
}

struct Blocks {
  std::vector<int> shape;   // of a block, one entry for each spatial axis
  std::vector<int> before;  // paddings or crops
  std::vector<int> after;
};

// Inputs of SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: block shape [m], and paddings or crops [m, 2].
bool ReadBlocks(const OpView& op, GraphBuilder& builder, Blocks* blocks) {
  blocks->shape = op.input(1).ConstantInts();
  const std::vector<int> paddings = op.input(2).ConstantInts();
  const size_t spatial_rank = blocks->shape.size();
  if (spatial_rank == 0 || paddings.size() != 2 * spatial_rank ||
      op.input(0).rank() < static_cast<int>(spatial_rank) + 1) {
    builder.Reject("block shape and paddings or crops must be constants that fit the input");
    return false;
  }
  if (std::any_of(paddings.begin(), paddings.end(), [](int size) { return size < 0 || size > kMaxPadding; }) ||
      std::any_of(blocks->shape.begin(), blocks->shape.end(), [](int size) { return size < 1; })) {
    builder.Reject("blocks must be positive, and paddings or crops neither negative nor huge");
    return false;
  }
  for (size_t i = 0; i < paddings.size(); i += 2) {
    blocks->before.push_back(paddings[i]);
    blocks->after.push_back(paddings[i + 1]);
  }
  return true;
}

// Zeros around the spatial axes.
Operand PadSpatial(Operand x, const Blocks& blocks, GraphBuilder& builder) {
  if (builder.rejected()) return Operand();
  OperandDescriptor padded = builder.descriptor(x);
  std::vector<int> before(padded.rank(), 0);
  std::vector<int> after(padded.rank(), 0);
  for (size_t i = 0; i < blocks.shape.size(); ++i) {
    before[i + 1] = blocks.before[i];
    after[i + 1] = blocks.after[i];
    padded.shape[i + 1] += blocks.before[i] + blocks.after[i];
  }
  if (padded == builder.descriptor(x)) return x;
  return builder.Emit({"pad", {{"input", x}}, {before, after}}, padded);
}

Operand CropSpatial(Operand x, const Blocks& blocks, GraphBuilder& builder) {
  if (builder.rejected()) return Operand();
  std::vector<int> sizes = builder.shape(x);
  std::vector<int> starts(sizes.size(), 0);
  for (size_t i = 0; i < blocks.shape.size(); ++i) {
    starts[i + 1] = blocks.before[i];
    sizes[i + 1] -= blocks.before[i] + blocks.after[i];
  }
  if (sizes == builder.shape(x)) return x;
  return builder.Slice(x, starts, sizes);
}

// [n, h, w, b * b * c] -> [n * h, w, b, b * c] -> [n * h, b, w, b * c] -> [n, h * b, w * b, c]
Operand LowerDepthToSpace(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const int block = BlockSize(op, op.params<TfLiteDepthToSpaceParams>().block_size, {3}, builder);
  if (builder.rejected()) return Operand();
  const std::vector<int> shape = builder.shape(input);
  const int channels = shape[3] / (block * block);
  const Operand rows = builder.Reshape(input, {shape[0] * shape[1], shape[2], block, block * channels});
  const Operand interleaved = builder.Transpose(rows, {0, 2, 1, 3});
  return builder.Reshape(interleaved, {shape[0], shape[1] * block, shape[2] * block, channels});
}

// The inverse of LowerDepthToSpace.
Operand LowerSpaceToDepth(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const int block = BlockSize(op, op.params<TfLiteSpaceToDepthParams>().block_size, {1, 2}, builder);
  if (builder.rejected()) return Operand();
  const std::vector<int> shape = builder.shape(input);
  const int height = shape[1] / block;
  const int width = shape[2] / block;
  const Operand rows = builder.Reshape(input, {shape[0] * height, block, width, block * shape[3]});
  const Operand gathered = builder.Transpose(rows, {0, 2, 1, 3});
  return builder.Reshape(gathered, {shape[0], height, width, block * block * shape[3]});
}

// [n, h, w, c] -> [n, h / bh, bh, w / bw, bw, c] -> [bh, bw, n, h / bh, w / bw, c] -> [bh * bw * n, ...]
Operand LowerSpaceToBatchNd(const OpView& op, GraphBuilder& builder) {
  Blocks blocks;
  Operand x = builder.Tensor(op.input(0));
  if (!ReadBlocks(op, builder, &blocks)) return Operand();
  x = PadSpatial(x, blocks, builder);
  if (builder.rejected()) return Operand();
  const std::vector<int> shape = builder.shape(x);
  std::vector<int> split = {shape[0]};
  std::vector<int> block_axes, outer_axes = {0};
  for (size_t i = 0; i < blocks.shape.size(); ++i) {
    if (shape[i + 1] % blocks.shape[i] != 0) return builder.Reject("the blocks do not divide the padded input");
    outer_axes.push_back(static_cast<int>(split.size()));
    split.push_back(shape[i + 1] / blocks.shape[i]);
    block_axes.push_back(static_cast<int>(split.size()));
    split.push_back(blocks.shape[i]);
  }
  std::vector<int> permutation = block_axes;
  permutation.insert(permutation.end(), outer_axes.begin(), outer_axes.end());
  for (size_t i = blocks.shape.size() + 1; i < shape.size(); ++i) {
    permutation.push_back(static_cast<int>(split.size()));
    split.push_back(shape[i]);
  }
  const Operand moved = builder.TransposeMerged(x, split, permutation);
  return builder.Reshape(moved, op.output(0).shape());
}

// [bh * bw * n, h, w, c] -> [bh, bw, n, h, w, c] -> [n, h, bh, w, bw, c] -> [n, h * bh, w * bw, c]
Operand LowerBatchToSpaceNd(const OpView& op, GraphBuilder& builder) {
  Blocks blocks;
  const Operand x = builder.Tensor(op.input(0));
  if (!ReadBlocks(op, builder, &blocks)) return Operand();
  const std::vector<int> shape = op.input(0).shape();
  const int spatial_rank = static_cast<int>(blocks.shape.size());
  std::vector<int> split = blocks.shape;
  int batch = shape[0];
  for (int size : blocks.shape) {
    if (batch % size != 0) return builder.Reject("the blocks do not divide the batch");
    batch /= size;
  }
  split.push_back(batch);
  split.insert(split.end(), shape.begin() + 1, shape.end());
  std::vector<int> permutation = {spatial_rank};
  std::vector<int> joined = {batch};
  for (int i = 0; i < spatial_rank; ++i) {
    permutation.push_back(spatial_rank + 1 + i);
    permutation.push_back(i);
    joined.push_back(shape[i + 1] * blocks.shape[i]);
  }
  for (size_t i = spatial_rank + 1; i < shape.size(); ++i) {
    permutation.push_back(static_cast<int>(spatial_rank + i));
    joined.push_back(shape[i]);
  }
  const Operand moved = builder.TransposeMerged(x, split, permutation);
  return CropSpatial(builder.Reshape(moved, joined), blocks, builder);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinDepthToSpace, LowerDepthToSpace, kCopied, "reshape, transpose", ""},
    {kTfLiteBuiltinSpaceToDepth, LowerSpaceToDepth, kCopied, "reshape, transpose", ""},
    {kTfLiteBuiltinSpaceToBatchNd, LowerSpaceToBatchNd, kCopied, "pad, reshape, transpose",
     "blocks or paddings not constant"},
    {kTfLiteBuiltinBatchToSpaceNd, LowerBatchToSpaceNd, kCopied, "reshape, transpose, slice",
     "blocks or crops not constant"},
};

}  // namespace

constinit const OpEntries kSpaceToDepthOps = kEntries;

}  // namespace tflite::webnn
