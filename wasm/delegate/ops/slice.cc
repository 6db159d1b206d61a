#include <algorithm>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// One axis of the input as STRIDED_SLICE reads it.
struct AxisRange {
  int begin;
  int end;
  int stride;
};

// Larger than every size, small enough that sums fit in an int.
constexpr int kFar = 1 << 29;

std::vector<int> Limited(std::vector<int> values) {
  for (int& value : values) value = std::clamp(value, -kFar, kFar);
  return values;
}

// Expands STRIDED_SLICE's operands and masks to one range per axis of the input. Axes of the ellipsis
// and axes without an entry are taken entirely. New and shrunk axes need no range: they follow from the
// output's shape.
class StridedSliceSpec {
 public:
  StridedSliceSpec(const OpView& op, const std::vector<int>& begin, const std::vector<int>& end,
                   const std::vector<int>& strides)
      : params_(op.params<TfLiteStridedSliceParams>()), shape_(op.input(0).shape()) {
    const int provided = static_cast<int>(begin.size());
    for (int i = 0; i < provided; ++i) {
      if (Bit(params_.ellipsis_mask, i)) {
        TakeEntire(static_cast<int>(shape_.size()) - axis_ - AxesAfter(i, provided));
      } else if (!Bit(params_.new_axis_mask, i)) {
        Take(i, begin[i], end[i], strides[i]);
      }
    }
    TakeEntire(static_cast<int>(shape_.size()) - axis_);
  }

  const std::vector<AxisRange>& ranges() const { return ranges_; }

 private:
  static bool Bit(int mask, int i) { return (mask >> i) & 1; }

  int AxesAfter(int i, int provided) const {
    int axes = 0;
    for (int j = i + 1; j < provided; ++j) axes += Bit(params_.new_axis_mask, j) ? 0 : 1;
    return axes;
  }

  void TakeEntire(int axes) {
    for (; axes > 0 && axis_ < static_cast<int>(shape_.size()); --axes) ranges_.push_back({0, shape_[axis_++], 1});
  }

  void Take(int i, int begin, int end, int stride) {
    if (axis_ >= static_cast<int>(shape_.size())) return;
    const int size = shape_[axis_++];
    const int lowest = stride > 0 ? 0 : -1;
    const int highest = stride > 0 ? size : size - 1;
    begin = Bit(params_.begin_mask, i) ? (stride > 0 ? 0 : size - 1)
                                       : std::clamp(begin < 0 ? begin + size : begin, lowest, highest);
    if (Bit(params_.shrink_axis_mask, i)) {
      // TFLite reads nothing backwards, nor beyond the end.
      ranges_.push_back({begin, stride > 0 && begin < size ? begin + 1 : begin, 1});
      return;
    }
    if (params_.offset) end += begin;
    if (end < 0) end += size;
    end = Bit(params_.end_mask, i) ? (stride > 0 ? size : -1) : std::clamp(end, lowest, highest);
    ranges_.push_back({begin, end, stride});
  }

  const TfLiteStridedSliceParams& params_;
  std::vector<int> shape_;
  std::vector<AxisRange> ranges_;
  int axis_ = 0;  // next axis of the input
};

// Whether the entries, without new axes and the ellipsis, name at most `rank` axes.
bool FitsSpec(const TfLiteStridedSliceParams& params, int provided, int rank) {
  constexpr int kMaskBits = 31;
  if (provided > kMaskBits) return false;
  int named = 0;
  for (int i = 0; i < provided; ++i) named += ((params.ellipsis_mask | params.new_axis_mask) >> i) & 1 ? 0 : 1;
  return named <= rank;
}

// WebNN's slice goes forward only: reverse axes with a negative stride first.
Operand SliceRanges(const OpView& op, Operand x, const std::vector<AxisRange>& ranges, GraphBuilder& builder) {
  std::vector<int> starts, sizes, strides, reversed;
  for (int axis = 0; axis < static_cast<int>(ranges.size()); ++axis) {
    AxisRange range = ranges[axis];
    if (range.stride < 0) {
      const int last = op.input(0).dim(axis) - 1;
      range = {last - range.begin, last - range.end, -range.stride};
      reversed.push_back(axis);
    }
    starts.push_back(range.begin);
    sizes.push_back(range.end - range.begin);
    strides.push_back(range.stride);
  }
  if (std::any_of(sizes.begin(), sizes.end(), [](int size) { return size <= 0; }))
    return builder.Reject("the slice is empty");
  if (!reversed.empty()) x = builder.Reverse(x, reversed);
  return builder.Slice(x, starts, sizes, strides);
}

// Reads the sizes from input 2: TFLite trusts the file's shape for the result.
Operand LowerSlice(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const std::vector<int> begin = op.input(1).ConstantInts();
  std::vector<int> sizes = op.input(2).ConstantInts();
  const std::vector<int>& shape = builder.shape(input);
  if (begin.size() != shape.size() || sizes.size() != shape.size())
    return builder.Reject("begin and size must be constants with one entry for each axis");
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (sizes[axis] == -1 && begin[axis] >= 0) sizes[axis] = shape[axis] - begin[axis];
  }
  return builder.Slice(input, begin, sizes);
}

Operand LowerStridedSlice(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const std::vector<int> begin = Limited(op.input(1).ConstantInts());
  const std::vector<int> end = Limited(op.input(2).ConstantInts());
  const std::vector<int> strides = Limited(op.input(3).ConstantInts());
  if (begin.empty() || end.size() != begin.size() || strides.size() != begin.size() ||
      std::count(strides.begin(), strides.end(), 0) > 0) {
    return builder.Reject("begin, end and strides must be constants of one length, strides not 0");
  }
  if (!FitsSpec(op.params<TfLiteStridedSliceParams>(), static_cast<int>(begin.size()), op.input(0).rank()))
    return builder.Reject("begin has more entries than the input has axes");
  const StridedSliceSpec spec(op, begin, end, strides);
  const Operand sliced = SliceRanges(op, input, spec.ranges(), builder);
  return builder.Reshape(sliced, op.output(0).shape());
}

Operand LowerReverse(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  std::vector<int> axes = op.input(1).ConstantInts();
  if (axes.empty()) return builder.Reject("the axes must be a constant with at least one axis");
  for (int& axis : axes) axis = NormalizeAxis(axis, builder.descriptor(input).rank());
  return builder.Reverse(input, axes);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinSlice, LowerSlice, kCopied, "slice", "begin or size not constant"},
    {kTfLiteBuiltinStridedSlice, LowerStridedSlice, kCopied, "reverse, slice, reshape",
     "begin, end or strides not constant"},
    {kTfLiteBuiltinReverseV2, LowerReverse, kCopied, "reverse; gather (int64, quantized)", "axes not constant"},
};

}  // namespace

constinit const OpEntries kSliceOps = kEntries;

}  // namespace tflite::webnn
