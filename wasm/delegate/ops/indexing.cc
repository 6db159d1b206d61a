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

Operand EmitArg(const char* method, Operand input, int axis, bool keep_dimension, const TensorView& output,
                GraphBuilder& builder) {
  if (builder.refused()) return Operand();
  const DataType type = output.type() == kTfLiteInt64 ? DataType::kInt64 : DataType::kInt32;
  return builder.Emit({method,
                       {{"input", input}},
                       {axis},
                       {{"keepDimensions", keep_dimension}, {"outputDataType", DataTypeName(type)}}},
                      {type, output.shape()});
}

// Inputs: data, indices. The first `batch_dims` axes of both are the same. One gather serves all batches: the data
// becomes rows, with batches and outer axes flattened, and the indices name rows.
void LowerGather(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteGatherParams>();
  const Operand input = builder.Tensor(op.input(0));
  const Operand indices = builder.Tensor(op.input(1));
  if (builder.refused()) return;
  const std::vector<int> shape = builder.shape(input);
  const int axis = NormalizeAxis(params.axis, op.input(0).rank());
  const int batch_dims = NormalizeAxis(params.batch_dims, op.input(1).rank());
  if (axis < 0 || axis >= op.input(0).rank() || batch_dims < 0 || batch_dims > std::min(axis, op.input(1).rank())) {
    builder.Refuse("axis " + std::to_string(params.axis) + " and batch_dims " + std::to_string(params.batch_dims) +
                   " do not fit the input");
    return;
  }
  CheckIndices(op.input(1), {shape[axis]}, builder);
  if (batch_dims == 0) {
    builder.SetOutput(op, 0, builder.Gather(input, indices, axis));
    return;
  }
  const int batches = Product(shape, 0, batch_dims);
  const int outer = Product(shape, batch_dims, axis);
  const int count = static_cast<int>(builder.descriptor(indices).element_count()) / batches;
  const Operand rows = builder.Reshape(input, {batches * outer * shape[axis], Product(shape, axis + 1, shape.size())});
  std::vector<int32_t> first_rows(batches * outer);
  for (size_t i = 0; i < first_rows.size(); ++i) first_rows[i] = static_cast<int32_t>(i) * shape[axis];
  const DataType type = builder.descriptor(indices).data_type;
  const Operand starts = builder.Constant(type, {batches, outer, 1}, first_rows);
  const Operand names = builder.Binary("add", builder.Reshape(indices, {batches, 1, count}), starts);
  builder.SetOutput(op, 0, builder.Reshape(builder.Gather(rows, names, 0), op.output(0).shape()));
}

// Inputs: ids, table.
void LowerEmbeddingLookup(const OpView& op, GraphBuilder& builder) {
  const Operand table = builder.Tensor(op.input(1));
  const Operand ids = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  CheckIndices(op.input(0), {op.input(1).dim(0)}, builder);
  builder.SetOutput(op, 0, builder.Gather(table, ids, 0));
}

void LowerGatherNd(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const Operand indices = builder.Tensor(op.input(1));
  if (builder.refused()) return;
  const std::vector<int> shape = builder.shape(input);
  const int depth = op.input(1).dim(-1);
  if (depth < 1 || depth > static_cast<int>(shape.size())) {
    builder.Refuse("the indices name no axis, or more axes than the input has");
    return;
  }
  CheckIndices(op.input(1), std::vector<int>(shape.begin(), shape.begin() + depth), builder);
  builder.SetOutput(op, 0, builder.GatherNd(input, indices));
}

// ARG_MAX and ARG_MIN return the first of equal values.
template <OperatorName kMethod>
void LowerArgMinMax(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const int axis = ConstantAxis(op.input(1), builder.descriptor(input).rank(), builder);
  builder.SetOutput(op, 0, EmitArg(kMethod.text, input, axis, /*keep_dimension=*/false, op.output(0), builder));
}

// Only k = 1, the largest element of each row: WebNN does not sort.
void LowerTopK(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const std::vector<int> k = op.input(1).ConstantInts();
  const int axis = op.input(0).rank() - 1;
  if (k.size() != 1 || k[0] != 1 || axis < 0) {
    builder.Refuse("WebNN does not sort: k must be 1, a constant");
    return;
  }
  const OperandDescriptor output{builder.descriptor(input).data_type, op.output(0).shape()};
  builder.SetOutput(
      op, 0,
      builder.Emit({"reduceMax", {{"input", input}}, {}, {{"axes", std::vector<int>{axis}}, {"keepDimensions", true}}},
                   output));
  builder.SetOutput(op, 1, EmitArg("argMax", input, axis, /*keep_dimension=*/true, op.output(1), builder));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinGather, 7, 2, LowerGather, kCopied,
     "gather; add (batch_dims); reshape (indices of rank 5 and above)", "constant indices out of range"},
    {kTfLiteBuiltinGatherNd, 5, 2, LowerGatherNd, kCopied, "gatherND; reshape (indices of rank 5 and above)",
     "constant indices out of range"},
    {kTfLiteBuiltinEmbeddingLookup, 5, 2, LowerEmbeddingLookup, kReal, "gather", "constant ids out of range"},
    {kTfLiteBuiltinArgMax, 3, 2, LowerArgMinMax<"argMax">, kReal, "argMax", "axis not constant"},
    {kTfLiteBuiltinArgMin, 3, 2, LowerArgMinMax<"argMin">, kReal, "argMin", "axis not constant"},
    {kTfLiteBuiltinTopkV2, 3, 2, LowerTopK, kCopied, "reduceMax, argMax", "k other than 1"},
};

}  // namespace

constinit const OpRows kIndexingOps = kRows;

}  // namespace tflite::webnn
