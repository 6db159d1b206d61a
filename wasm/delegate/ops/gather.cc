#include <algorithm>
#include <string>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"
#include "delegate/ops/indices.h"

namespace tflite::webnn {
namespace {

int Product(const std::vector<int>& sizes, size_t begin, size_t end) {
  int product = 1;
  for (size_t i = begin; i < end; ++i) product *= sizes[i];
  return product;
}

// Inputs: data, indices. The first `batch_dims` axes of both are the same. One gather serves all batches: the data
// becomes rows, with batches and outer axes flattened, and the indices name rows.
Operand LowerGather(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteGatherParams>();
  const Operand input = builder.Tensor(op.input(0));
  const Operand indices = builder.Tensor(op.input(1));
  if (builder.rejected()) return Operand();
  const std::vector<int> shape = builder.shape(input);
  const int axis = NormalizeAxis(params.axis, op.input(0).rank());
  const int batch_dims = NormalizeAxis(params.batch_dims, op.input(1).rank());
  if (axis < 0 || axis >= op.input(0).rank() || batch_dims < 0 || batch_dims > std::min(axis, op.input(1).rank())) {
    return builder.Reject("axis " + std::to_string(params.axis) + " and batch_dims " +
                          std::to_string(params.batch_dims) + " do not fit the input");
  }
  LimitIndices(op.input(1), indices, {shape[axis]}, builder);
  if (batch_dims == 0) return builder.Gather(input, indices, axis);
  const int batches = Product(shape, 0, batch_dims);
  const int outer = Product(shape, batch_dims, axis);
  const int count = static_cast<int>(builder.descriptor(indices).element_count()) / batches;
  const Operand rows = builder.Reshape(input, {batches * outer * shape[axis], Product(shape, axis + 1, shape.size())});
  if (!builder.CanMake(int64_t{batches} * outer)) return Operand();
  std::vector<int64_t> first_rows(batches * outer);
  for (size_t i = 0; i < first_rows.size(); ++i) first_rows[i] = static_cast<int64_t>(i) * shape[axis];
  const DataType type = builder.descriptor(indices).data_type;
  const Operand starts = builder.Constant(type, {batches, outer, 1}, first_rows);
  const Operand names = builder.Binary("add", builder.Reshape(indices, {batches, 1, count}), starts);
  return builder.Reshape(builder.Gather(rows, names, 0), op.output(0).shape());
}

// Inputs: ids, table.
Operand LowerEmbeddingLookup(const OpView& op, GraphBuilder& builder) {
  if (op.input(1).rank() < 1) return builder.Reject("the table must have rows");
  const Operand table = builder.Tensor(op.input(1));
  const Operand ids = builder.Tensor(op.input(0));
  LimitIndices(op.input(0), ids, {op.input(1).dim(0)}, builder);
  return builder.Gather(table, ids, 0);
}

Operand LowerGatherNd(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const Operand indices = builder.Tensor(op.input(1));
  const std::vector<int> shape = builder.shape(input);
  const int depth = op.input(1).rank() < 1 ? 0 : op.input(1).dim(-1);
  if (depth < 1 || depth > static_cast<int>(shape.size()))
    return builder.Reject("the indices name no axis, or more axes than the input has");
  LimitIndices(op.input(1), indices, std::vector<int>(shape.begin(), shape.begin() + depth), builder);
  return builder.GatherNd(input, indices);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinGather, LowerGather, kCopied, "gather; add (batch_dims); reshape (indices of rank 5 and above)",
     "constant indices out of range"},
    {kTfLiteBuiltinGatherNd, LowerGatherNd, kCopied, "gatherND; reshape (indices of rank 5 and above)",
     "constant indices out of range"},
    {kTfLiteBuiltinEmbeddingLookup, LowerEmbeddingLookup, kReal, "gather", "constant ids out of range"},
};

}  // namespace

constinit const OpEntries kGatherOps = kEntries;

}  // namespace tflite::webnn
