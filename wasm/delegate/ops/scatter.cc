#include <string>
#include <vector>

#include "delegate/ops/families.h"
#include "delegate/ops/indices.h"

// Ops that write rows to constant places. Each row of the result is a known row of the input or the default, so one
// gather does it, for every type and bit for bit.
namespace tflite::webnn {
namespace {

// The axes that the indices name, and the rest of the result's shape as one row.
struct Places {
  std::vector<int> axes;
  int row_size = 1;
};

// Splits a shape after its first `depth` axes.
Places PlacesIn(const std::vector<int>& shape, int depth) {
  Places places;
  for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
    if (axis < depth) places.axes.push_back(shape[axis]);
    if (axis >= depth) places.row_size *= shape[axis];
  }
  return places;
}

// For each place the index of its row, `row_count` if it has none. Empty after a refusal.
std::vector<int32_t> RowsByPlace(const TensorView& indices, const Places& places, bool later_ones_win,
                                 GraphBuilder& builder) {
  const std::vector<int> values = indices.ConstantInts();
  CheckIndices(indices, places.axes, builder);
  if (values.empty() || values.size() % places.axes.size() != 0) {
    builder.Refuse("the indices must be a constant");
  }
  if (builder.refused()) return {};
  const int row_count = static_cast<int>(values.size() / places.axes.size());
  int64_t place_count = 1;
  for (int size : places.axes) place_count *= size;
  if (!builder.CanMake(place_count)) return {};
  std::vector<int32_t> rows(place_count, row_count);
  for (int row = 0; row < row_count; ++row) {
    int place = 0;
    for (size_t i = 0; i < places.axes.size(); ++i) {
      place = place * places.axes[i] + values[row * places.axes.size() + i];
    }
    if (rows[place] != row_count && !later_ones_win) {
      builder.Refuse("TFLite adds up what goes to one place, found two rows for place " + std::to_string(place));
      return {};
    }
    rows[place] = row;
  }
  return rows;
}

// Inputs: indices, updates, shape. Places without an index are zero.
void LowerScatterNd(const OpView& op, GraphBuilder& builder) {
  const int depth = op.input(0).rank() > 0 ? op.input(0).dim(-1) : 0;
  const std::vector<int> shape = op.output(0).shape();
  if (depth < 1 || depth > static_cast<int>(shape.size()) || !op.input(2).IsConstant()) {
    builder.Refuse("the shape must be a constant, and the indices must name one to all of its axes");
    return;
  }
  const Operand updates = builder.Tensor(op.input(1));
  if (builder.refused()) return;
  const Places places = PlacesIn(shape, depth);
  const std::vector<int32_t> rows = RowsByPlace(op.input(0), places, /*later_ones_win=*/false, builder);
  if (builder.refused()) return;
  const DataType type = builder.descriptor(updates).data_type;
  const int row_count = static_cast<int>(builder.descriptor(updates).element_count()) / places.row_size;
  const Operand zeros = builder.Constant(type, {1, places.row_size}, std::vector<int32_t>(places.row_size, 0));
  const Operand table = builder.Concat({builder.Reshape(updates, {row_count, places.row_size}), zeros}, 0);
  builder.SetOutput(op, 0, builder.Reshape(builder.Gather(table, rows, 0), shape));
}

// Inputs: indices, shape, values (one for all, or one for each index), default value.
void LowerSparseToDense(const OpView& op, GraphBuilder& builder) {
  const std::vector<int> shape = op.output(0).shape();
  const int depth = op.input(0).rank() == 2 ? op.input(0).dim(1) : 1;
  if (depth != static_cast<int>(shape.size()) || !op.input(1).IsConstant()) {
    builder.Refuse("the shape must be a constant, and the indices must name all of its axes");
    return;
  }
  const Operand values = builder.Tensor(op.input(2));
  const Operand default_value = builder.Tensor(op.input(3));
  std::vector<int32_t> rows = RowsByPlace(op.input(0), PlacesIn(shape, depth), /*later_ones_win=*/true, builder);
  if (builder.refused()) return;
  const int value_count = static_cast<int>(builder.descriptor(values).element_count());
  const int index_count = static_cast<int>(op.input(0).ConstantInts().size()) / depth;
  if (value_count != index_count && op.input(2).rank() != 0) {
    builder.Refuse("there must be one value for all indices, or one for each");
    return;
  }
  if (op.input(2).rank() == 0) {
    for (int32_t& row : rows) row = row == index_count ? 1 : 0;
  }
  const Operand table =
      builder.Concat({builder.Reshape(values, {value_count}), builder.Reshape(default_value, {1})}, 0);
  builder.SetOutput(op, 0, builder.Reshape(builder.Gather(table, rows, 0), shape));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinScatterNd, 1, 3, LowerScatterNd, kUnknown, "concat, gather",
     "indices that are not constant, or not unique: TFLite adds up duplicates"},
    {kTfLiteBuiltinSparseToDense, 3, 4, LowerSparseToDense, kCopied, "concat, gather", "indices not constant"},
};

}  // namespace

constinit const OpRows kScatterOps = kRows;

}  // namespace tflite::webnn
