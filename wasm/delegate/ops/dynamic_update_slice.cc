#include <algorithm>
#include <vector>

#include "delegate/ops/families.h"
#include "delegate/ops/indices.h"

// DYNAMIC_UPDATE_SLICE replaces a part of the operand. TFLite moves an update that would pass the end back.
namespace tflite::webnn {
namespace {

// The elements [begin, end) of an axis.
Operand Range(Operand x, int axis, int begin, int end, GraphBuilder& builder) {
  if (builder.rejected()) return Operand();
  std::vector<int> starts(builder.shape(x).size(), 0);
  std::vector<int> sizes = builder.shape(x);
  starts[axis] = begin;
  sizes[axis] = end - begin;
  return builder.Slice(x, starts, sizes);
}

// From `axis` on: the part before the update, the part with it, the part after it.
Operand Overwrite(Operand operand, Operand update, const std::vector<int>& starts, int axis, GraphBuilder& builder) {
  if (builder.rejected()) return Operand();
  const std::vector<int> outer = builder.shape(operand);
  const std::vector<int> inner = builder.shape(update);
  const int rank = static_cast<int>(outer.size());
  while (axis < rank && outer[axis] == inner[axis]) ++axis;
  if (axis == rank) return update;
  const int begin = std::clamp(starts[axis], 0, outer[axis] - inner[axis]);
  const int end = begin + inner[axis];
  std::vector<Operand> parts;
  if (begin > 0) parts.push_back(Range(operand, axis, 0, begin, builder));
  parts.push_back(Overwrite(Range(operand, axis, begin, end, builder), update, starts, axis + 1, builder));
  if (end < outer[axis]) parts.push_back(Range(operand, axis, end, outer[axis], builder));
  return builder.Concat(parts, axis);
}

// The update gathered to the operand's size along the stretched axes. `is_inside` chooses the update's element;
// outside of the update the gathered element is arbitrary.
struct Stretched {
  Operand update;
  Operand is_inside;  // invalid while no axis has been stretched
};

void StretchAxis(Operand starts, int axis, const std::vector<int>& outer, Stretched* stretched, GraphBuilder& builder) {
  if (builder.rejected() || !builder.CanMake(outer[axis])) return;
  const int size = builder.shape(stretched->update)[axis];
  std::vector<int32_t> positions(outer[axis]);
  for (int i = 0; i < outer[axis]; ++i) positions[i] = i;
  const Operand start = builder.Reshape(Range(starts, 0, axis, axis + 1, builder), {});
  const Operand position = builder.Binary("sub", builder.Constant({outer[axis]}, positions), start);
  const Operand zero = builder.Scalar(DataType::kInt32, 0);
  const Operand is_inside =
      builder.Compare("logicalAnd", builder.Compare("greaterOrEqual", position, zero),
                      builder.Compare("lesser", position, builder.Scalar(DataType::kInt32, size)));
  const Operand nearest =
      builder.Binary("min", builder.Binary("max", position, zero), builder.Scalar(DataType::kInt32, size - 1));
  stretched->update = builder.Gather(stretched->update, nearest, axis);
  std::vector<int> along(outer.size(), 1);
  along[axis] = outer[axis];
  const Operand mask = builder.Reshape(is_inside, along);
  stretched->is_inside =
      stretched->is_inside.valid() ? builder.Compare("logicalAnd", stretched->is_inside, mask) : mask;
}

Operand ReplaceAtRunTime(Operand operand, Operand update, Operand starts, GraphBuilder& builder) {
  const std::vector<int> outer = builder.shape(operand);
  const std::vector<int> inner = builder.shape(update);
  std::vector<int64_t> last;
  for (size_t axis = 0; axis < outer.size(); ++axis) last.push_back(outer[axis] - inner[axis]);
  const int rank = static_cast<int>(outer.size());
  starts = LimitedInt32(starts, {rank}, std::vector<int64_t>(rank, 0), last, builder);
  Stretched stretched{update, {}};
  for (int axis = 0; axis < static_cast<int>(outer.size()); ++axis) {
    if (outer[axis] != inner[axis]) StretchAxis(starts, axis, outer, &stretched, builder);
  }
  return stretched.is_inside.valid() ? builder.Where(stretched.is_inside, stretched.update, operand) : update;
}

Operand LowerDynamicUpdateSlice(const OpView& op, GraphBuilder& builder) {
  const Operand operand = builder.Tensor(op.input(0));
  const Operand update = builder.Tensor(op.input(1));
  const std::vector<int> outer = builder.shape(operand);
  const std::vector<int> inner = builder.shape(update);
  bool fits = outer.size() == inner.size() && op.input(2).rank() == 1;
  for (size_t axis = 0; fits && axis < outer.size(); ++axis) fits = inner[axis] <= outer[axis];
  if (!fits || op.input(2).dim(0) != static_cast<int>(outer.size()))
    return builder.Reject("the update must fit into the operand, with one start for each axis");
  const std::vector<int> starts = op.input(2).ConstantInts();
  return starts.empty() ? ReplaceAtRunTime(operand, update, builder.Tensor(op.input(2)), builder)
                        : Overwrite(operand, update, starts, 0, builder);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinDynamicUpdateSlice, LowerDynamicUpdateSlice, kCopied,
     "slice, concat; gather, lesser, where (start at run time)", ""},
};

}  // namespace

constinit const OpEntries kDynamicUpdateSliceOps = kEntries;

}  // namespace tflite::webnn
