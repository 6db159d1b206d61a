#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

struct Reduction {
  std::vector<int> shape;
  std::vector<int> axes;
};

// The same reduction with adjacent axes merged if all are reduced or all are kept.
Reduction Merged(const std::vector<int>& shape, const std::set<int>& axes) {
  Reduction merged;
  bool was_reduced = false;
  for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
    const bool is_reduced = axes.count(axis) > 0;
    if (axis == 0 || is_reduced != was_reduced) {
      if (is_reduced) merged.axes.push_back(static_cast<int>(merged.shape.size()));
      merged.shape.push_back(1);
    }
    merged.shape.back() *= shape[axis];
    was_reduced = is_reduced;
  }
  return merged;
}

Operand Reduce(const char* method, Operand input, const std::set<int>& axes, bool keep_dimensions,
               GraphBuilder& builder) {
  const std::vector<int> shape = builder.shape(input);
  std::vector<int> kept, with_ones;
  for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
    const bool is_reduced = axes.count(axis) > 0;
    if (!is_reduced) kept.push_back(shape[axis]);
    with_ones.push_back(is_reduced ? 1 : shape[axis]);
  }
  const std::vector<int>& result = keep_dimensions ? with_ones : kept;
  const DataType type = builder.descriptor(input).data_type;
  const auto emit = [&](Operand x, std::vector<int> x_axes, bool keep, const std::vector<int>& output) {
    return builder.Emit({method, {{"input", x}}, {}, {{"axes", std::move(x_axes)}, {"keepDimensions", keep}}},
                        {type, output});
  };
  if (builder.TakesRank(method, "input", static_cast<int>(shape.size()))) {
    return emit(input, {axes.begin(), axes.end()}, keep_dimensions, result);
  }
  const Reduction merged = Merged(shape, axes);
  std::vector<int> left;
  for (int axis = 0; axis < static_cast<int>(merged.shape.size()); ++axis) {
    if (std::find(merged.axes.begin(), merged.axes.end(), axis) == merged.axes.end())
      left.push_back(merged.shape[axis]);
  }
  return builder.Reshape(emit(builder.Reshape(input, merged.shape), merged.axes, false, left), result);
}

void EmitReduce(const char* method, bool is_logical, const OpView& op, GraphBuilder& builder) {
  Operand input = builder.Tensor(op.input(0));
  if (is_logical) input = builder.Cast(input, DataType::kInt32);
  if (builder.rejected()) return;
  const int rank = builder.descriptor(input).rank();
  std::set<int> axes;  // TFLite allows one axis to be named twice, WebNN does not
  for (int axis : op.input(1).ConstantInts()) axes.insert(NormalizeAxis(axis, rank));
  if (axes.empty()) {
    builder.Reject("the axes must be a constant with at least one axis");
    return;
  }
  if (*axes.begin() < 0 || *axes.rbegin() >= rank) {
    builder.Reject("an axis does not exist");
    return;
  }
  const bool keep_dimensions = op.params<TfLiteReducerParams>().keep_dims;
  const Operand reduced = Reduce(method, input, axes, keep_dimensions, builder);
  builder.SetOutput(op, 0, is_logical ? builder.Cast(reduced, DataType::kUint8) : reduced);
}

template <OperatorName kMethod>
void LowerReduce(const OpView& op, GraphBuilder& builder) {
  EmitReduce(kMethod.text, /*is_logical=*/false, op, builder);
}

// REDUCE_ANY and REDUCE_ALL are the maximum and minimum of truth values, reduced as int32.
template <OperatorName kMethod>
void LowerLogicalReduce(const OpView& op, GraphBuilder& builder) {
  EmitReduce(kMethod.text, /*is_logical=*/true, op, builder);
}

void LowerCumsum(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteCumsumParams>();
  const Operand input = builder.Tensor(op.input(0));
  if (builder.rejected()) return;
  const OperandDescriptor output = builder.descriptor(input);
  const int axis = ConstantAxis(op.input(1), output.rank(), builder);
  if (builder.rejected()) return;
  const std::vector<Option> options = {{"exclusive", params.exclusive}, {"reversed", params.reverse}};
  builder.SetOutput(op, 0, builder.Emit({"cumulativeSum", {{"input", input}}, {axis}, options}, output));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinMean, LowerReduce<"reduceMean">, kReal, "reduceMean", "axes not constant"},
    {kTfLiteBuiltinSum, LowerReduce<"reduceSum">, kReal, "reduceSum", "axes not constant"},
    {kTfLiteBuiltinReduceMax, LowerReduce<"reduceMax">, kCopied, "reduceMax", "axes not constant"},
    {kTfLiteBuiltinReduceMin, LowerReduce<"reduceMin">, kCopied, "reduceMin", "axes not constant"},
    {kTfLiteBuiltinReduceProd, LowerReduce<"reduceProduct">, kReal, "reduceProduct", "axes not constant"},
    {kTfLiteBuiltinReduceAny, LowerLogicalReduce<"reduceMax">, kUnknown, "cast, reduceMax", "axes not constant"},
    {kTfLiteBuiltinReduceAll, LowerLogicalReduce<"reduceMin">, kUnknown, "cast, reduceMin", "axes not constant"},
    {kTfLiteBuiltinCumsum, LowerCumsum, kUnknown, "cumulativeSum", "axis not constant"},
};

}  // namespace

constinit const OpRows kReductionOps = kRows;

}  // namespace tflite::webnn
