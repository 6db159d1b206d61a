#include <numeric>
#include <string>
#include <vector>

#include "delegate/ops/families.h"
#include "delegate/ops/indices.h"
#include "tensorflow/lite/core/subgraph.h"

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

// For each place the index of its row, `row_count` if it has none. Empty after a rejection.
std::vector<int32_t> RowsByPlace(const TensorView& indices, const Places& places, bool later_ones_win,
                                 GraphBuilder& builder) {
  const std::vector<int> values = indices.ConstantInts();
  CheckIndices(indices, places.axes, builder);
  if (values.empty() || values.size() % places.axes.size() != 0) {
    builder.Reject("the indices must be a constant");
  }
  if (builder.rejected()) return {};
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
      builder.Reject("TFLite adds up what goes to one place, found two rows for place " + std::to_string(place));
      return {};
    }
    rows[place] = row;
  }
  return rows;
}

// Inputs: indices, updates, shape. Places without an index are zero.
Operand LowerScatterNd(const OpView& op, GraphBuilder& builder) {
  const int depth = op.input(0).rank() > 0 ? op.input(0).dim(-1) : 0;
  const std::vector<int> shape = op.output(0).shape();
  if (depth < 1 || depth > static_cast<int>(shape.size()) || !op.input(2).IsConstant())
    return builder.Reject("the shape must be a constant, and the indices must name one to all of its axes");
  const Operand updates = builder.Tensor(op.input(1));
  const Places places = PlacesIn(shape, depth);
  const std::vector<int32_t> rows = RowsByPlace(op.input(0), places, /*later_ones_win=*/false, builder);
  if (builder.rejected()) return Operand();
  const DataType type = builder.descriptor(updates).data_type;
  const int row_count = static_cast<int>(builder.descriptor(updates).element_count()) / places.row_size;
  if (row_count != static_cast<int>(op.input(0).ConstantInts().size()) / depth) {
    return builder.Reject("there must be one update for each index");
  }
  const Operand zeros = builder.Constant(type, {1, places.row_size}, std::vector<int64_t>(places.row_size, 0));
  const Operand table = builder.Concat({builder.Reshape(updates, {row_count, places.row_size}), zeros}, 0);
  return builder.Reshape(builder.Gather(table, rows, 0), shape);
}

// Inputs: indices, shape, values (one for all, or one for each index), default value.
Operand LowerSparseToDense(const OpView& op, GraphBuilder& builder) {
  const std::vector<int> shape = op.output(0).shape();
  const int depth = op.input(0).rank() == 2 ? op.input(0).dim(1) : 1;
  if (depth != static_cast<int>(shape.size()) || !op.input(1).IsConstant())
    return builder.Reject("the shape must be a constant, and the indices must name all of its axes");
  const Operand values = builder.Tensor(op.input(2));
  const Operand default_value = builder.Tensor(op.input(3));
  std::vector<int32_t> rows = RowsByPlace(op.input(0), PlacesIn(shape, depth), /*later_ones_win=*/true, builder);
  if (builder.rejected()) return Operand();
  const int value_count = static_cast<int>(builder.descriptor(values).element_count());
  const int index_count = static_cast<int>(op.input(0).ConstantInts().size()) / depth;
  if (value_count != index_count && op.input(2).rank() != 0)
    return builder.Reject("there must be one value for all indices, or one for each");
  if (op.input(2).rank() == 0) {
    for (int32_t& row : rows) row = row == index_count ? 1 : 0;
  }
  const Operand table =
      builder.Concat({builder.Reshape(values, {value_count}), builder.Reshape(default_value, {1})}, 0);
  return builder.Reshape(builder.Gather(table, rows, 0), shape);
}

// The number of leading axes of the operand that the indices name, if each of them names one of these axes and an
// update is a row of all other axes; -1 for other dimension numbers.
int RowScatterDepth(const OpView& op) {
  const auto& params = op.params<TfLiteStablehloScatterParams>();
  const int depth = params.num_scatter_dims_to_operand_dims;
  const int window = op.input(0).rank() - depth;
  const bool has_rows = params.index_vector_dim == op.input(1).rank() - 1 && op.input(1).rank() > 0 &&
                        op.input(1).dim(-1) == depth && params.num_inserted_window_dims == depth &&
                        params.num_update_window_dims == window && op.input(2).rank() >= window;
  if (!has_rows || depth < 1) return -1;
  for (int i = 0; i < depth; ++i) {
    if (params.scatter_dims_to_operand_dims[i] != i || params.inserted_window_dims[i] != i) return -1;
  }
  for (int i = 0; i < window; ++i) {
    if (params.update_window_dims[i] != op.input(2).rank() - window + i) return -1;
    if (op.input(2).dim(i - window) != op.input(0).dim(i - window)) return -1;
  }
  return depth;
}

// Whether the update takes the place of the operand's element: a computation without nodes.
bool Overwrites(const OpView& op) {
  const int index = op.params<TfLiteStablehloScatterParams>().update_computation_subgraph_index;
  const auto& subgraphs = *static_cast<const Subgraph*>(op.context()->impl_)->GetSubgraphs();
  if (index < 0 || index >= static_cast<int>(subgraphs.size())) return false;
  const Subgraph& computation = *subgraphs[index];
  return computation.execution_plan().empty() && computation.inputs().size() == 2 &&
         computation.outputs() == std::vector<int>{computation.inputs()[1]};
}

// The flat place of each update; -1 for those outside of the operand, which TFLite ignores.
Operand FlatPlaces(Operand indices, const std::vector<int>& axes, GraphBuilder& builder) {
  const int depth = static_cast<int>(axes.size());
  const int count = static_cast<int>(builder.descriptor(indices).element_count()) / depth;
  const std::vector<int64_t> before(depth, -1), ends(axes.begin(), axes.end());
  const Operand rows = LimitedInt32(builder.Reshape(indices, {count, depth}), {depth}, before, ends, builder);
  std::vector<int32_t> strides(depth, 1);
  for (int i = depth - 2; i >= 0; --i) strides[i] = strides[i + 1] * axes[i + 1];
  const Operand zero = builder.Scalar(DataType::kInt32, 0);
  const Operand sizes = builder.Constant({depth}, std::vector<int32_t>(axes.begin(), axes.end()));
  const Operand is_inside = builder.Compare("logicalAnd", builder.Compare("greaterOrEqual", rows, zero),
                                            builder.Compare("lesser", rows, sizes));
  const Operand fits = builder.Cast(is_inside, DataType::kInt32);
  const Operand products = builder.Binary("mul", rows, builder.Constant({depth}, strides));
  const Operand flat = builder.Reduce("reduceSum", products, {1}, false);
  const Operand one = builder.Scalar(DataType::kInt32, 1);
  const Operand shifted =
      builder.Binary("mul", builder.Binary("add", flat, one), builder.Reduce("reduceMin", fits, {1}, false));
  return builder.Binary("sub", shifted, one);
}

// Inputs: operand, indices, updates. Each place finds the last update that names it, as WebNN's scatterND leaves open
// which of several it writes.
Operand LowerStablehloScatter(const OpView& op, GraphBuilder& builder) {
  const int depth = RowScatterDepth(op);
  if (depth < 0 || !Overwrites(op)) return builder.Reject("only whole rows that overwrite others are scattered");
  const Operand operand = builder.Tensor(op.input(0));
  const Operand indices = builder.Tensor(op.input(1));
  const Operand updates = builder.Tensor(op.input(2));
  const std::vector<int> shape = builder.shape(operand);
  const Places places = PlacesIn(shape, depth);
  const int update_count = static_cast<int>(builder.descriptor(updates).element_count()) / places.row_size;
  const int place_count = static_cast<int>(builder.descriptor(operand).element_count()) / places.row_size;
  if (!builder.CanMake(int64_t{place_count} * update_count)) return Operand();
  std::vector<int32_t> place_numbers(place_count), update_numbers(update_count);
  std::iota(place_numbers.begin(), place_numbers.end(), 0);
  std::iota(update_numbers.begin(), update_numbers.end(), 1);
  const Operand is_named = builder.Compare("equal", builder.Constant({place_count, 1}, place_numbers),
                                           FlatPlaces(indices, places.axes, builder));
  const Operand named =
      builder.Binary("mul", builder.Cast(is_named, DataType::kInt32), builder.Constant({update_count}, update_numbers));
  const Operand last = builder.Reduce("reduceMax", named, {1}, true);  // 0 where no update names the place
  const Operand zero = builder.Scalar(DataType::kInt32, 0);
  const Operand one = builder.Scalar(DataType::kInt32, 1);
  const Operand row = builder.Reshape(builder.Binary("max", builder.Binary("sub", last, one), zero), {place_count});
  const Operand written = builder.Gather(builder.Reshape(updates, {update_count, places.row_size}), row, 0);
  const Operand kept = builder.Reshape(operand, {place_count, places.row_size});
  const Operand result = builder.Where(builder.Compare("greater", last, zero), written, kept);
  return builder.Reshape(result, shape);
}

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinScatterNd, LowerScatterNd, kUnknown, "concat, gather",
     "indices that are not constant, or not unique: TFLite adds up duplicates"},
    {kTfLiteBuiltinSparseToDense, LowerSparseToDense, kCopied, "concat, gather", "indices not constant"},
    {kTfLiteBuiltinStablehloScatter, LowerStablehloScatter, kUnknown, "equal, reduceMax, gather, where",
     "updates that are no whole rows, or that do not overwrite"},
};

}  // namespace

constinit const OpRows kScatterOps = kRows;

}  // namespace tflite::webnn
