#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
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

// The result has `shape`, which may keep the axis.
Operand EmitArg(const char* method, Operand input, int axis, DataType type, const std::vector<int>& shape,
                GraphBuilder& builder) {
  if (builder.refused()) return Operand();
  std::vector<int> reduced = builder.shape(input);
  const bool keeps = shape.size() == reduced.size() && !builder.WorksAround(Workaround::kArgKeepDimensions);
  if (keeps) {
    reduced[axis] = 1;
  } else {
    reduced.erase(reduced.begin() + axis);
  }
  const std::vector<Option> options = {{"keepDimensions", keeps}, {"outputDataType", DataTypeName(type)}};
  return builder.Reshape(builder.Emit({method, {{"input", input}}, {axis}, options}, {type, reduced}), shape);
}

DataType IndexType(const TensorView& output) {
  return output.type() == kTfLiteInt64 ? DataType::kInt64 : DataType::kInt32;
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
  std::vector<int64_t> first_rows(batches * outer);
  for (size_t i = 0; i < first_rows.size(); ++i) first_rows[i] = static_cast<int64_t>(i) * shape[axis];
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

// Two operators that read and write all elements take longer than the search itself.
constexpr uint64_t kMostWithNan = 1 << 16;

// ARG_MAX and ARG_MIN return the first of equal values. They ignore NaN, which engines take for more or less than all
// behind it: it becomes the number that is the last to be found, in tensors that are not large.
template <OperatorName kMethod>
void LowerArgMinMax(const OpView& op, GraphBuilder& builder) {
  Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  if (op.input(0).type() == kTfLiteFloat32 && builder.descriptor(input).element_count() <= kMostWithNan) {
    const float last = std::string_view(kMethod.text) == "argMax" ? -INFINITY : INFINITY;
    const Operand number = builder.Constant({}, std::vector<float>{last});
    input = builder.Where(builder.Compare("equal", input, input), input, number);
  }
  if (builder.refused()) return;
  const int axis = ConstantAxis(op.input(1), builder.descriptor(input).rank(), builder);
  if (builder.refused()) return;
  const TensorView output = op.output(0);
  builder.SetOutput(op, 0, EmitArg(kMethod.text, input, axis, IndexType(output), output.shape(), builder));
}

Operand ReduceMax(Operand x, GraphBuilder& builder) {
  if (builder.refused()) return Operand();
  OperandDescriptor output = builder.descriptor(x);
  const int axis = output.rank() - 1;
  output.shape[axis] = 1;
  return builder.Emit({"reduceMax", {{"input", x}}, {}, {{"axes", std::vector<int>{axis}}, {"keepDimensions", true}}},
                      output);
}

Operand LowestConstant(DataType type, GraphBuilder& builder) {
  if (type == DataType::kFloat32) return builder.Constant({}, std::vector<float>{-INFINITY});
  return builder.Constant(type, {}, {type == DataType::kInt32 ? std::numeric_limits<int32_t>::min() : 0});
}

// Takes the largest elements of each row one by one, as WebNN does not sort. Of equal elements, TFLite takes the first.
class LargestElements {
 public:
  LargestElements(Operand rows, GraphBuilder& builder)
      : rest_(rows), builder_(builder), type_(builder.descriptor(rows).data_type) {
    const int size = builder.shape(rows).back();
    std::vector<int32_t> positions(size);
    std::iota(positions.begin(), positions.end(), 0);
    positions_ = builder.Constant({size}, positions);
    lowest_ = LowestConstant(type_, builder);
    free_ = builder.Constant({size}, std::vector<int32_t>(size, 1));
  }

  // Value and position of the next one, with a last axis of size 1.
  std::pair<Operand, Operand> Take() {
    const Operand value = ReduceMax(rest_, builder_);
    const Operand is_largest = builder_.Cast(builder_.Compare("equal", rest_, value), DataType::kInt32);
    // Elements that were taken are as low as free ones of the lowest value.
    const Operand candidates = builder_.Binary("mul", is_largest, free_);
    if (builder_.refused()) return {};
    const std::vector<int> shape = builder_.shape(value);
    const Operand position =
        EmitArg("argMax", candidates, static_cast<int>(shape.size()) - 1, DataType::kInt32, shape, builder_);
    const Operand is_taken = builder_.Compare("equal", positions_, position);
    rest_ = builder_.Where(is_taken, lowest_, rest_);
    const Operand is_free = builder_.Cast(builder_.Compare("notEqual", positions_, position), DataType::kInt32);
    free_ = builder_.Binary("mul", free_, is_free);
    return {value, position};
  }

 private:
  Operand rest_;  // the rows without what was taken
  GraphBuilder& builder_;
  DataType type_;
  Operand positions_, lowest_, free_;
};

// Each element takes nine operators, and each of these reads the whole input.
constexpr int kMostElements = 20;
constexpr int64_t kMostReads = int64_t{1} << 20;

void LowerTopK(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const std::vector<int> k = op.input(1).ConstantInts();
  const int axis = op.input(0).rank() - 1;
  if (k.size() != 1 || k[0] < 1 || k[0] > kMostElements || axis < 0) {
    builder.Refuse("WebNN does not sort: k must be a constant of at most " + std::to_string(kMostElements));
    return;
  }
  if (op.output(1).type() != kTfLiteInt32) {
    builder.Refuse("positions must be int32");
    return;
  }
  if (k[0] == 1) {
    builder.SetOutput(op, 0, ReduceMax(input, builder));
    builder.SetOutput(op, 1, EmitArg("argMax", input, axis, DataType::kInt32, op.output(1).shape(), builder));
    return;
  }
  if (k[0] * static_cast<int64_t>(builder.descriptor(input).element_count()) > kMostReads) {
    builder.Refuse("WebNN does not sort, and to search so many elements " + std::to_string(k[0]) + " times is slow");
    return;
  }
  const DataType type = builder.descriptor(input).data_type;
  if (type != DataType::kFloat32 && type != DataType::kInt32) {
    builder.Refuse(std::string("more than one element is taken of float32 and int32 only, found ") +
                   DataTypeName(type));
    return;
  }
  LargestElements elements(input, builder);
  std::vector<Operand> values, positions;
  for (int i = 0; i < k[0]; ++i) {
    const auto [value, position] = elements.Take();
    values.push_back(value);
    positions.push_back(position);
  }
  builder.SetOutput(op, 0, builder.Concat(values, axis));
  builder.SetOutput(op, 1, builder.Concat(positions, axis));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinGather, LowerGather, kCopied, "gather; add (batch_dims); reshape (indices of rank 5 and above)",
     "constant indices out of range"},
    {kTfLiteBuiltinGatherNd, LowerGatherNd, kCopied, "gatherND; reshape (indices of rank 5 and above)",
     "constant indices out of range"},
    {kTfLiteBuiltinEmbeddingLookup, LowerEmbeddingLookup, kReal, "gather", "constant ids out of range"},
    {kTfLiteBuiltinArgMax, LowerArgMinMax<"argMax">, kReal, "argMax; equal, where (small float32)",
     "axis not constant"},
    {kTfLiteBuiltinArgMin, LowerArgMinMax<"argMin">, kReal, "argMin; equal, where (small float32)",
     "axis not constant"},
    {kTfLiteBuiltinTopkV2, LowerTopK, kCopied, "reduceMax, argMax; equal, where, mul, concat (k > 1)",
     "k not constant, or more than 20"},
};

}  // namespace

constinit const OpRows kIndexingOps = kRows;

}  // namespace tflite::webnn
