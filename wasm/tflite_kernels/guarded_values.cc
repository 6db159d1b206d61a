#include <algorithm>
#include <cstdint>
#include <limits>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/experimental/resource/resource_variable.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/guards.h"

namespace tflite::webnn {
namespace {

constexpr int64_t kMaxSize = std::numeric_limits<int32_t>::max();

bool IsInteger(const TfLiteTensor& tensor) {
  return tensor.type == kTfLiteInt16 || tensor.type == kTfLiteInt32 || tensor.type == kTfLiteInt64;
}

int64_t IntegerAt(const TfLiteTensor& tensor, int64_t i) {
  if (tensor.type == kTfLiteInt16) return tensor.data.i16[i];
  return tensor.type == kTfLiteInt64 ? tensor.data.i64[i] : tensor.data.i32[i];
}

// An error unless the last dimension of `indices` has positions in the first dimensions of a shape.
TfLiteStatus CheckPositions(TfLiteContext* context, const TfLiteTensor& indices, int depth, int rank,
                            int64_t (*size_at)(const TfLiteTensor&, int), const TfLiteTensor& shape) {
  if (depth == 0 || depth > rank || !IsInteger(indices)) return kTfLiteOk;
  for (int64_t i = 0; i < NumElements(&indices); ++i) {
    const int axis = static_cast<int>(i % depth);
    const int64_t index = IntegerAt(indices, i), size = size_at(shape, axis);
    if (index >= 0 && index < size) continue;
    TF_LITE_KERNEL_LOG(context, "index %d is out of bounds: dimension %d has the size %d", static_cast<int>(index),
                       axis, static_cast<int>(size));
    return kTfLiteError;
  }
  return kTfLiteOk;
}

int64_t SizeOfTensor(const TfLiteTensor& tensor, int axis) { return SizeOfDimension(&tensor, axis); }
int64_t SizeInTensor(const TfLiteTensor& tensor, int axis) { return IntegerAt(tensor, axis); }

int LastSize(const TfLiteTensor& tensor) {
  return NumDimensions(&tensor) == 0 ? 0 : SizeOfDimension(&tensor, NumDimensions(&tensor) - 1);
}

// BATCH_TO_SPACE_ND, SPACE_TO_BATCH_ND: sizes that overflow to smaller ones, or are negative.
TfLiteStatus CheckBlocks(TfLiteContext* context, TfLiteNode* node, bool to_batch) {
  const TfLiteTensor &input = *GetInput(context, node, 0), &blocks = *GetInput(context, node, 1);
  const TfLiteTensor& margins = *GetInput(context, node, 2);
  TF_LITE_ENSURE_TYPES_EQ(context, blocks.type, kTfLiteInt32);
  TF_LITE_ENSURE_TYPES_EQ(context, margins.type, kTfLiteInt32);
  const int count = static_cast<int>(NumElements(&blocks));
  if (count >= NumDimensions(&input) || NumElements(&margins) != 2 * count) return kTfLiteOk;  // the kernel reports it
  int64_t batch = SizeOfDimension(&input, 0);
  for (int i = 0; i < count; ++i) {
    const int64_t block = IntegerAt(blocks, i), size = SizeOfDimension(&input, i + 1);
    const int64_t margin = IntegerAt(margins, 2 * i) + IntegerAt(margins, 2 * i + 1);
    TF_LITE_ENSURE(context, block > 0);
    batch *= to_batch ? block : 1;
    TF_LITE_ENSURE(context, batch <= kMaxSize);
    TF_LITE_ENSURE(context, to_batch ? size + margin >= 0 && size + margin <= kMaxSize : margin <= size * block);
  }
  return kTfLiteOk;
}

}  // namespace

// GATHER_ND: of nothing, nothing can be gathered, and newer kernels reject positions without indices.
TfLiteStatus CheckGathered(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& indices = *GetInput(context, node, 1);
  TF_LITE_ENSURE(context, NumElements(GetInput(context, node, 0)) > 0 || NumElements(&indices) == 0);
  const bool is_empty = NumElements(GetOutput(context, node, 0)) == 0;
  TF_LITE_ENSURE_MSG(context, is_empty || LastSize(indices) > 0, "A position has no index.");
  return kTfLiteOk;
}

// The kernel only looks whether the element is in the tensor.
TfLiteStatus CheckGatheredIndices(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &params = *GetInput(context, node, 0), &indices = *GetInput(context, node, 1);
  return CheckPositions(context, indices, LastSize(indices), NumDimensions(&params), SizeOfTensor, params);
}

// SCATTER_ND: likewise, in sums that overflow.
TfLiteStatus CheckScatteredIndices(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &indices = *GetInput(context, node, 0), &shape = *GetInput(context, node, 2);
  if (!IsInteger(shape)) return kTfLiteOk;
  return CheckPositions(context, indices, LastSize(indices), static_cast<int>(NumElements(&shape)), SizeInTensor,
                        shape);
}

// SPARSE_TO_DENSE: the kernel writes to these positions. Indices of rank 0 and 1 are positions in one dimension.
TfLiteStatus CheckSparseIndices(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &indices = *GetInput(context, node, 0), &shape = *GetInput(context, node, 1);
  if (!IsInteger(shape)) return kTfLiteOk;
  const int depth = NumDimensions(&indices) < 2 ? 1 : LastSize(indices);
  return CheckPositions(context, indices, depth, static_cast<int>(NumElements(&shape)), SizeInTensor, shape);
}

// EMBEDDING_LOOKUP: of a table without rows, the kernel writes nothing.
TfLiteStatus CheckRows(TfLiteContext* context, TfLiteNode* node) {
  const bool is_empty = NumElements(GetOutput(context, node, 0)) == 0;
  TF_LITE_ENSURE_MSG(context, is_empty || SizeOfDimension(GetInput(context, node, 1), 0) > 0,
                     "An id is outside of a table without rows.");
  return kTfLiteOk;
}

// EMBEDDING_LOOKUP_SPARSE: the first indices choose the result's row, and are not compared with its shape.
TfLiteStatus CheckBuckets(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &indices = *GetInput(context, node, 1), &shape = *GetInput(context, node, 2);
  TF_LITE_ENSURE_TYPES_EQ(context, GetInput(context, node, 4)->type, kTfLiteFloat32);
  const int rank = SizeOfDimension(&indices, 1);
  TF_LITE_ENSURE(context, rank >= 1 && rank <= NumElements(&shape));
  for (int64_t i = 0; i < NumElements(&indices); ++i) {
    const int axis = static_cast<int>(i % rank);
    const int64_t index = IntegerAt(indices, i);
    TF_LITE_ENSURE(context, axis == rank - 1 || (index >= 0 && index < IntegerAt(shape, axis)));
  }
  return kTfLiteOk;
}

TfLiteStatus CheckShapesBroadcast(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &shape1 = *GetInput(context, node, 0), &shape2 = *GetInput(context, node, 1);
  const int64_t count1 = NumElements(&shape1), count2 = NumElements(&shape2);
  for (int64_t i = 1; IsInteger(shape1) && shape1.type == shape2.type && i <= std::min(count1, count2); ++i) {
    const int64_t size1 = IntegerAt(shape1, count1 - i), size2 = IntegerAt(shape2, count2 - i);
    TF_LITE_ENSURE_MSG(context, size1 == size2 || size1 == 1 || size2 == 1, "The shapes do not broadcast.");
  }
  return kTfLiteOk;
}

// DILATE, while it is prepared, reads one for each dimension.
TfLiteStatus CheckDilations(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &input = *GetInput(context, node, 0), &dilations = *GetInput(context, node, 1);
  TF_LITE_ENSURE_TYPES_EQ(context, dilations.type, kTfLiteInt32);
  TF_LITE_ENSURE_EQ(context, NumElements(&dilations), NumDimensions(&input));
  for (int64_t i = 0; i < NumElements(&dilations); ++i) TF_LITE_ENSURE(context, dilations.data.i32[i] >= 1);
  return kTfLiteOk;
}

// ONE_HOT reads the lowest 32 bits of the depth.
TfLiteStatus CheckDepth(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& depth = *GetInput(context, node, 1);
  TF_LITE_ENSURE(context, depth.type == kTfLiteInt32 || depth.type == kTfLiteInt64);
  TF_LITE_ENSURE_EQ(context, NumElements(&depth), 1);
  TF_LITE_ENSURE(context, IntegerAt(depth, 0) >= 0 && IntegerAt(depth, 0) <= kMaxSize);
  return kTfLiteOk;
}

// PAD, PADV2: sizes that overflow to smaller ones.
TfLiteStatus CheckPaddings(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &input = *GetInput(context, node, 0), &paddings = *GetInput(context, node, 1);
  if (!IsInteger(paddings) || NumElements(&paddings) != 2 * NumDimensions(&input)) return kTfLiteOk;
  for (int i = 0; i < NumDimensions(&input); ++i) {
    const int64_t before = IntegerAt(paddings, 2 * i), after = IntegerAt(paddings, 2 * i + 1);
    TF_LITE_ENSURE(context, before <= kMaxSize && after <= kMaxSize);
    TF_LITE_ENSURE(context, before + after <= kMaxSize - SizeOfDimension(&input, i));
  }
  return kTfLiteOk;
}

// MIRROR_PAD reads as far from the edge as it pads.
TfLiteStatus CheckReflections(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteMirrorPaddingParams*>(node->builtin_data);
  const TfLiteTensor &input = *GetInput(context, node, 0), &paddings = *GetInput(context, node, 1);
  TF_LITE_ENSURE(context, IsInteger(paddings) && NumElements(&paddings) == 2 * NumDimensions(&input));
  bool is_empty = false;
  for (int i = 0; i < NumDimensions(&input); ++i) {
    is_empty |= SizeOfDimension(&input, i) + IntegerAt(paddings, 2 * i) + IntegerAt(paddings, 2 * i + 1) == 0;
  }
  TF_LITE_ENSURE(context, NumElements(&input) > 0 || is_empty);
  const int offset = options.mode == kTfLiteMirrorPaddingReflect ? 1 : 0;
  for (int i = 0; !is_empty && i < NumDimensions(&input); ++i) {
    const int64_t padding = std::max(IntegerAt(paddings, 2 * i), IntegerAt(paddings, 2 * i + 1));
    TF_LITE_ENSURE_MSG(context, padding <= SizeOfDimension(&input, i) - offset, "There is not enough to mirror.");
  }
  return kTfLiteOk;
}

// MIRROR_PAD: newer kernels reject negative numbers, with which these read next to the input.
TfLiteStatus CheckMargins(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& paddings = *GetInput(context, node, 1);
  for (int64_t i = 0; IsInteger(paddings) && i < NumElements(&paddings); ++i) {
    TF_LITE_ENSURE_MSG(context, IntegerAt(paddings, i) >= 0, "A padding is negative.");
  }
  return kTfLiteOk;
}

// Reductions: the kernels look only while they run, and XNNPACK mistakes an axis that does not exist for another one.
TfLiteStatus CheckReducedAxes(TfLiteContext* context, TfLiteNode* node) {
  const int64_t rank = NumDimensions(GetInput(context, node, 0));
  const TfLiteTensor& axes = *GetInput(context, node, 1);
  if (rank == 0 || axes.type != kTfLiteInt32) return kTfLiteOk;  // the kernel reads no axes, or reports them
  for (int64_t i = 0; i < NumElements(&axes); ++i) {
    const int64_t axis = IntegerAt(axes, i);
    TF_LITE_ENSURE_MSG(context, axis >= -rank && axis < rank, "An axis does not exist.");
  }
  return kTfLiteOk;
}

TfLiteStatus CheckRowLengths(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteReverseSequenceParams*>(node->builtin_data);
  const TfLiteTensor &input = *GetInput(context, node, 0), &lengths = *GetInput(context, node, 1);
  const int axis = options.seq_dim;
  if (axis < 0 || axis >= NumDimensions(&input) || !IsInteger(lengths)) return kTfLiteOk;  // the kernel reports it
  for (int64_t i = 0; i < NumElements(&lengths); ++i) {
    const int64_t length = IntegerAt(lengths, i);
    TF_LITE_ENSURE(context, length >= 0 && length <= SizeOfDimension(&input, axis));
  }
  return kTfLiteOk;
}

TfLiteStatus CheckFftLengths(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& lengths = *GetInput(context, node, 1);
  TF_LITE_ENSURE_TYPES_EQ(context, lengths.type, kTfLiteInt32);
  for (int64_t i = 0; i < NumElements(&lengths); ++i) TF_LITE_ENSURE(context, lengths.data.i32[i] > 0);
  return kTfLiteOk;
}

// SLICE, while it is prepared, reads one begin and one size for each dimension, both as the type of the first.
TfLiteStatus CheckSliceOperands(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &input = *GetInput(context, node, 0), &begin = *GetInput(context, node, 1);
  const TfLiteTensor& size = *GetInput(context, node, 2);
  TF_LITE_ENSURE_TYPES_EQ(context, begin.type, size.type);
  TF_LITE_ENSURE(context, begin.type == kTfLiteInt32 || begin.type == kTfLiteInt64);
  TF_LITE_ENSURE(context, NumElements(&begin) >= NumDimensions(&input) && NumElements(&size) == NumElements(&begin));
  return kTfLiteOk;
}

// A result whose shape the file says completely is not resized: what a smaller slice leaves there was never written.
TfLiteStatus CheckSlice(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &input = *GetInput(context, node, 0), &begin = *GetInput(context, node, 1);
  const TfLiteTensor &size = *GetInput(context, node, 2), &output = *GetOutput(context, node, 0);
  const bool is_fixed = !IsDynamicTensor(&output);
  TF_LITE_ENSURE(context, !is_fixed || NumDimensions(&output) == NumDimensions(&input));
  for (int i = 0; i < NumDimensions(&input); ++i) {
    const int64_t first = IntegerAt(begin, i), count = IntegerAt(size, i);
    const int64_t available = SizeOfDimension(&input, i) - first;
    TF_LITE_ENSURE(context, first >= 0 && available >= 0 && count >= -1 && count <= available);
    const int64_t length = count < 0 ? available : count;
    if (is_fixed) TF_LITE_ENSURE_EQ(context, static_cast<int>(length), SizeOfDimension(&output, i));
  }
  return kTfLiteOk;
}

TfLiteStatus CheckCrops(TfLiteContext* context, TfLiteNode* node) { return CheckBlocks(context, node, false); }
TfLiteStatus CheckSpaces(TfLiteContext* context, TfLiteNode* node) { return CheckBlocks(context, node, true); }

TfLiteStatus CheckMultiples(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor &input = *GetInput(context, node, 0), &multiples = *GetInput(context, node, 1);
  if (!IsInteger(multiples) || NumElements(&multiples) != NumDimensions(&input)) return kTfLiteOk;
  for (int i = 0; i < NumDimensions(&input); ++i) {
    const int64_t multiple = IntegerAt(multiples, i);
    TF_LITE_ENSURE(context, multiple >= 0 && multiple <= kMaxSize);
    TF_LITE_ENSURE(context, multiple * SizeOfDimension(&input, i) <= kMaxSize);
  }
  return kTfLiteOk;
}

// TRANSPOSE: a dimension that is named twice takes steps beyond the end.
TfLiteStatus CheckPermutation(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& order = *GetInput(context, node, 1);
  const int rank = NumDimensions(GetInput(context, node, 0));
  uint64_t named = 0;
  if (order.type != kTfLiteInt32 || rank > 64) return kTfLiteOk;  // the kernel reports it
  for (int64_t i = 0; i < NumElements(&order); ++i) {
    const int64_t axis = IntegerAt(order, i) + (IntegerAt(order, i) < 0 ? rank : 0);
    if (axis < 0 || axis >= rank) return kTfLiteOk;
    TF_LITE_ENSURE_MSG(context, (named >> axis & 1) == 0, "A dimension is named twice.");
    named |= uint64_t{1} << axis;
  }
  return kTfLiteOk;
}

TfLiteStatus CheckVariableId(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* id = GetInput(context, node, 0);
  TF_LITE_ENSURE(context, id->data.raw != nullptr && id->data.i32[0] >= 0);
  return kTfLiteOk;
}

// READ_VARIABLE copies as much as its output has.
TfLiteStatus CheckVariableSize(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, CheckVariableId(context, node));
  Subgraph& subgraph = *static_cast<Subgraph*>(context->impl_);
  const int id = GetInput(context, node, 0)->data.i32[0];
  auto* variable = resource::GetResourceVariable(&subgraph.resources(), id);
  TF_LITE_ENSURE_MSG(context, variable != nullptr,
                     "The variable is read before it is assigned: run the signature that assigns it first.");
  const TfLiteTensor* output = GetOutput(context, node, 0);
  if (IsDynamicTensor(output)) return kTfLiteOk;  // the kernel resizes
  const TfLiteTensor& value = *variable->GetTensor();
  if (output->bytes <= value.bytes) return kTfLiteOk;
  const auto& ids = subgraph.resource_ids();
  const auto named = std::find_if(ids.begin(), ids.end(), [id](const auto& row) { return row.second == id; });
  TF_LITE_KERNEL_LOG(context,
                     "The variable \"%s\" was assigned as %s and is read as %s: assign as many elements as are read.",
                     named == ids.end() ? "" : named->first.second.c_str(), GetShapeDebugString(value.dims).c_str(),
                     GetShapeDebugString(output->dims).c_str());
  return kTfLiteError;
}

}  // namespace tflite::webnn
