#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// With adjacent axes merged if all are reduced or all are kept: for more axes than the operator accepts.
Operand ReduceMerged(const char* method, Operand input, const std::set<int>& axes, GraphBuilder& builder) {
  const std::vector<int> shape = builder.shape(input);
  std::vector<int> merged_shape, merged_axes;
  for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
    const bool is_reduced = axes.count(axis) > 0;
    if (axis == 0 || is_reduced != (axes.count(axis - 1) > 0)) {
      if (is_reduced) merged_axes.push_back(static_cast<int>(merged_shape.size()));
      merged_shape.push_back(1);
    }
    merged_shape.back() *= shape[axis];
  }
  return builder.Reduce(method, builder.Reshape(input, merged_shape), merged_axes, false);
}

Operand EmitReduce(const char* method, bool is_logical, const OpView& op, GraphBuilder& builder) {
  Operand input = builder.Tensor(op.input(0));
  if (is_logical) input = builder.Cast(input, DataType::kInt32);
  const int rank = builder.descriptor(input).rank();
  std::set<int> axes;  // TFLite allows one axis to be named twice, WebNN does not
  for (int axis : op.input(1).ConstantInts()) axes.insert(NormalizeAxis(axis, rank));
  if (axes.empty()) return builder.Reject("the axes must be a constant with at least one axis");
  if (*axes.begin() < 0 || *axes.rbegin() >= rank) return builder.Reject("an axis does not exist");
  const bool keep_dimensions = op.params<TfLiteReducerParams>().keep_dims;
  const Operand reduced = builder.AcceptsRank(method, "input", rank)
                              ? builder.Reduce(method, input, {axes.begin(), axes.end()}, keep_dimensions)
                              : builder.Reshape(ReduceMerged(method, input, axes, builder), op.output(0).shape());
  return is_logical ? builder.Cast(reduced, DataType::kUint8) : reduced;
}

template <OperatorName kMethod>
Operand LowerReduce(const OpView& op, GraphBuilder& builder) {
  return EmitReduce(kMethod.text, /*is_logical=*/false, op, builder);
}

// REDUCE_ANY and REDUCE_ALL are the maximum and minimum of booleans, reduced as int32.
template <OperatorName kMethod>
Operand LowerLogicalReduce(const OpView& op, GraphBuilder& builder) {
  return EmitReduce(kMethod.text, /*is_logical=*/true, op, builder);
}

Operand LowerCumsum(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteCumsumParams>();
  const Operand input = builder.Tensor(op.input(0));
  const OperandDescriptor output = builder.descriptor(input);
  const int axis = ConstantAxis(op.input(1), output.rank(), builder);
  const std::vector<Option> options = {{"exclusive", params.exclusive}, {"reversed", params.reverse}};
  return builder.Emit({"cumulativeSum", {{"input", input}}, {axis}, options}, output);
}

constexpr OpEntry kEntries[] = {
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

constinit const OpEntries kReductionOps = kEntries;

}  // namespace tflite::webnn
