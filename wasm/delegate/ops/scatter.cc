#include <numeric>
#include <string>
#include <vector>

#include "delegate/ops/families.h"
#include "delegate/ops/indices.h"
#include "tensorflow/lite/core/subgraph.h"

// Ops that write rows to constant positions. Each row of the result is a known row of the input or the default, so one
// gather does it, for every type and bit for bit.
namespace tflite::webnn {
namespace {

// The axes that the indices name, and the remainder of the result's shape as one row.
struct Positions {
  std::vector<int> axes;
  int row_size = 1;
};

// Splits a shape after its first `depth` axes.
Positions SplitShape(const std::vector<int>& shape, int depth) {
  Positions positions;
  for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
    if (axis < depth) positions.axes.push_back(shape[axis]);
    if (axis >= depth) positions.row_size *= shape[axis];
  }
  return positions;
}

// For each position the index of its row, `row_count` if it has none. Empty after a rejection.
std::vector<int32_t> RowsByPosition(const TensorView& indices, const Positions& positions, bool later_ones_win,
                                    GraphBuilder& builder) {
  const std::vector<int> values = indices.ConstantInts();
  CheckIndices(indices, positions.axes, builder);
  if (values.empty() || values.size() % positions.axes.size() != 0) {
    builder.Reject("the indices must be a constant");
  }
  if (builder.rejected()) return {};
  const int row_count = static_cast<int>(values.size() / positions.axes.size());
  int64_t position_count = 1;
  for (int size : positions.axes) position_count *= size;
  if (!builder.CanMake(position_count)) return {};
  std::vector<int32_t> rows(position_count, row_count);
  for (int row = 0; row < row_count; ++row) {
    int position = 0;
    for (size_t i = 0; i < positions.axes.size(); ++i) {
      position = position * positions.axes[i] + values[row * positions.axes.size() + i];
    }
    if (rows[position] != row_count && !later_ones_win) {
      builder.Reject("TFLite adds up the rows of one position, found two for position " + std::to_string(position));
      return {};
    }
    rows[position] = row;
  }
  return rows;
}

// Inputs: indices, updates, shape. Positions without an index are zero.
Operand LowerScatterNd(const OpView& op, GraphBuilder& builder) {
  const int depth = op.input(0).rank() > 0 ? op.input(0).dim(-1) : 0;
  const std::vector<int> shape = op.output(0).shape();
  if (depth < 1 || depth > static_cast<int>(shape.size()) || !op.input(2).IsConstant())
    return builder.Reject("the shape must be a constant, and the indices must name one to all of its axes");
  const Operand updates = builder.Tensor(op.input(1));
  const Positions positions = SplitShape(shape, depth);
  const std::vector<int32_t> rows = RowsByPosition(op.input(0), positions, /*later_ones_win=*/false, builder);
  if (builder.rejected()) return Operand();
  const DataType type = builder.descriptor(updates).data_type;
  const int row_count = static_cast<int>(builder.descriptor(updates).element_count()) / positions.row_size;
  if (row_count != static_cast<int>(op.input(0).ConstantInts().size()) / depth) {
    return builder.Reject("there must be one update for each index");
  }
  const Operand zeros = builder.Constant(type, {1, positions.row_size}, std::vector<int64_t>(positions.row_size, 0));
  const Operand table = builder.Concat({builder.Reshape(updates, {row_count, positions.row_size}), zeros}, 0);
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
  std::vector<int32_t> rows = RowsByPosition(op.input(0), SplitShape(shape, depth), /*later_ones_win=*/true, builder);
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

// Whether the update replaces the operand's element: a computation without nodes.
bool Overwrites(const OpView& op) {
  const int index = op.params<TfLiteStablehloScatterParams>().update_computation_subgraph_index;
  const auto& subgraphs = *static_cast<const Subgraph*>(op.context()->impl_)->GetSubgraphs();
  if (index < 0 || index >= static_cast<int>(subgraphs.size())) return false;
  const Subgraph& computation = *subgraphs[index];
  return computation.execution_plan().empty() && computation.inputs().size() == 2 &&
         computation.outputs() == std::vector<int>{computation.inputs()[1]};
}

// The flat position of each update; -1 for those outside of the operand, which TFLite ignores.
Operand FlatPositions(Operand indices, const std::vector<int>& axes, GraphBuilder& builder) {
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

// Inputs: operand, indices, updates. Each position finds the last update that names it, as WebNN's scatterND leaves
// open which of several it writes.
Operand LowerStablehloScatter(const OpView& op, GraphBuilder& builder) {
  const int depth = RowScatterDepth(op);
  if (depth < 0 || !Overwrites(op)) return builder.Reject("only entire rows that overwrite others are scattered");
  const Operand operand = builder.Tensor(op.input(0));
  const Operand indices = builder.Tensor(op.input(1));
  const Operand updates = builder.Tensor(op.input(2));
  const std::vector<int> shape = builder.shape(operand);
  const Positions positions = SplitShape(shape, depth);
  const int update_count = static_cast<int>(builder.descriptor(updates).element_count()) / positions.row_size;
  const int position_count = static_cast<int>(builder.descriptor(operand).element_count()) / positions.row_size;
  if (!builder.CanMake(int64_t{position_count} * update_count)) return Operand();
  std::vector<int32_t> position_numbers(position_count), update_numbers(update_count);
  std::iota(position_numbers.begin(), position_numbers.end(), 0);
  std::iota(update_numbers.begin(), update_numbers.end(), 1);
  const Operand is_named = builder.Compare("equal", builder.Constant({position_count, 1}, position_numbers),
                                           FlatPositions(indices, positions.axes, builder));
  const Operand named =
      builder.Binary("mul", builder.Cast(is_named, DataType::kInt32), builder.Constant({update_count}, update_numbers));
  const Operand last = builder.Reduce("reduceMax", named, {1}, true);  // 0 where no update names the position
  const Operand zero = builder.Scalar(DataType::kInt32, 0);
  const Operand one = builder.Scalar(DataType::kInt32, 1);
  const Operand row = builder.Reshape(builder.Binary("max", builder.Binary("sub", last, one), zero), {position_count});
  const Operand written = builder.Gather(builder.Reshape(updates, {update_count, positions.row_size}), row, 0);
  const Operand kept = builder.Reshape(operand, {position_count, positions.row_size});
  const Operand result = builder.Where(builder.Compare("greater", last, zero), written, kept);
  return builder.Reshape(result, shape);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinScatterNd, LowerScatterNd, kUnknown, "concat, gather",
     "indices that are not constant, or not unique: TFLite adds up duplicates"},
    {kTfLiteBuiltinSparseToDense, LowerSparseToDense, kCopied, "concat, gather", "indices not constant"},
    {kTfLiteBuiltinStablehloScatter, LowerStablehloScatter, kUnknown, "equal, reduceMax, gather, where",
     "updates that are no entire rows, or that do not overwrite"},
};

}  // namespace

constinit const OpEntries kScatterOps = kEntries;

}  // namespace tflite::webnn
