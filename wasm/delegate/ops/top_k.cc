#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

Operand LowestConstant(DataType type, GraphBuilder& builder) {
  if (type == DataType::kFloat32) return builder.Scalar(-INFINITY);
  return builder.Scalar(type, type == DataType::kInt32 ? std::numeric_limits<int32_t>::min() : 0);
}

// Selects the largest elements of each row one by one, as WebNN does not sort. Of equal elements, TFLite selects the
// first, and NaN after all numbers.
class LargestElements {
 public:
  LargestElements(Operand rows, bool may_have_nan, GraphBuilder& builder)
      : rows_(rows), remaining_(rows), may_have_nan_(may_have_nan), builder_(builder) {
    const int size = builder.shape(rows).back();
    std::vector<int32_t> positions(size);
    std::iota(positions.begin(), positions.end(), 0);
    positions_ = builder.Constant({size}, positions);
    lowest_ = LowestConstant(builder.descriptor(rows).data_type, builder);
    order_ = builder.Constant({size}, std::vector<int32_t>(size, 1));
    if (!may_have_nan) return;
    const Operand is_number = builder.Compare("equal", rows, rows);
    remaining_ = builder.Where(is_number, rows, lowest_);
    order_ = builder.Binary("add", builder.Cast(is_number, DataType::kInt32), order_);
  }

  // Value and position of the next one, with a last axis of size 1.
  std::pair<Operand, Operand> Take() {
    const int axis = builder_.descriptor(remaining_).rank() - 1;
    const Operand largest = builder_.Reduce("reduceMax", remaining_, {axis}, true);
    const Operand is_largest = builder_.Cast(builder_.Compare("equal", remaining_, largest), DataType::kInt32);
    // Elements that were taken, and NaN, are as low as free numbers of the lowest value.
    const Operand candidates = builder_.Binary("mul", is_largest, order_);
    const Operand position =
        EmitArg("argMax", candidates, axis, DataType::kInt32, std::vector<int>(builder_.shape(largest)), builder_);
    const Operand is_taken = builder_.Compare("equal", positions_, position);
    remaining_ = builder_.Where(is_taken, lowest_, remaining_);
    const Operand is_free = builder_.Cast(builder_.Compare("notEqual", positions_, position), DataType::kInt32);
    order_ = builder_.Binary("mul", order_, is_free);
    if (!may_have_nan_) return {largest, position};
    // The element itself, which may be NaN.
    const Operand taken = builder_.Where(is_taken, rows_, builder_.Scalar(0));
    return {builder_.Reduce("reduceSum", taken, {axis}, true), position};
  }

 private:
  Operand rows_;
  Operand remaining_;  // the rows without NaN and what was taken
  bool may_have_nan_;
  GraphBuilder& builder_;
  Operand positions_, lowest_;
  Operand order_;  // 0 for what was taken; else 1, or 2 for numbers where NaN may be
};

// Each element needs up to eleven operators, and each of these reads the entire input.
constexpr int kMaxElements = 20;
constexpr int64_t kMaxReads = int64_t{1} << 20;

Operand LowerTopK(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.rejected()) return Operand();
  const std::vector<int> k = op.input(1).ConstantInts();
  const int axis = op.input(0).rank() - 1;
  if (k.size() != 1 || k[0] < 1 || k[0] > kMaxElements || axis < 0 || k[0] > op.input(0).dim(axis))
    return builder.Reject("WebNN does not sort: k must be a constant of at most " + std::to_string(kMaxElements));
  if (op.output(1).type() != kTfLiteInt32) return builder.Reject("positions must be int32");
  const bool may_have_nan = op.input(0).type() == kTfLiteFloat32;
  if (k[0] == 1 && !(may_have_nan && builder.descriptor(input).element_count() <= kMaxWithNan)) {
    builder.SetOutput(op, 0, builder.Reduce("reduceMax", input, {axis}, true));
    builder.SetOutput(op, 1, EmitArg("argMax", input, axis, DataType::kInt32, op.output(1).shape(), builder));
    return Operand();
  }
  if (k[0] * static_cast<int64_t>(builder.descriptor(input).element_count()) > kMaxReads) {
    return builder.Reject("WebNN does not sort, and to search so many elements " + std::to_string(k[0]) +
                          " times is slow");
  }
  const DataType type = builder.descriptor(input).data_type;
  if (type != DataType::kFloat32 && type != DataType::kInt32) {
    return builder.Reject(std::string("more than one element is taken of float32 and int32 only, found ") +
                          DataTypeName(type));
  }
  LargestElements elements(input, may_have_nan, builder);
  std::vector<Operand> values, positions;
  for (int i = 0; i < k[0]; ++i) {
    const auto [value, position] = elements.Take();
    values.push_back(value);
    positions.push_back(position);
  }
  builder.SetOutput(op, 0, builder.Concat(values, axis));
  builder.SetOutput(op, 1, builder.Concat(positions, axis));
  return Operand();
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinTopkV2, LowerTopK, kCopied,
     "reduceMax, argMax; equal, where, mul, reduceSum, concat (small floats, k > 1)",
     "k not constant, or more than 20"},
};

}  // namespace

constinit const OpEntries kTopKOps = kEntries;

}  // namespace tflite::webnn
