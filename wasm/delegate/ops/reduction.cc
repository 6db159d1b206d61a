#include <set>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

void EmitReduce(const char* method, bool is_logical, const OpView& op, GraphBuilder& builder) {
  Operand input = builder.Tensor(op.input(0));
  if (is_logical) input = builder.Cast(input, DataType::kInt32);
  if (builder.refused()) return;
  const int rank = builder.descriptor(input).rank();
  std::set<int> axes;  // TFLite allows one axis to be named twice, WebNN does not
  for (int axis : op.input(1).ConstantInts()) axes.insert(NormalizeAxis(axis, rank));
  if (axes.empty()) {
    builder.Refuse("the axes must be a constant with at least one axis");
    return;
  }
  if (*axes.begin() < 0 || *axes.rbegin() >= rank) {
    builder.Refuse("an axis does not exist");
    return;
  }
  const bool keep_dimensions = op.params<TfLiteReducerParams>().keep_dims;
  OperandDescriptor output{builder.descriptor(input).data_type, {}};
  for (int axis = 0; axis < rank; ++axis) {
    if (!axes.count(axis)) output.shape.push_back(builder.shape(input)[axis]);
    if (axes.count(axis) && keep_dimensions) output.shape.push_back(1);
  }
  const std::vector<Option> options = {{"axes", std::vector<int>(axes.begin(), axes.end())},
                                       {"keepDimensions", keep_dimensions}};
  const Operand reduced = builder.Emit({method, {{"input", input}}, {}, options}, output);
  builder.SetOutput(op, 0, is_logical ? builder.Cast(reduced, DataType::kUint8) : reduced);
}

template <OperatorName kMethod>
void LowerReduce(const OpView& op, GraphBuilder& builder) {
  EmitReduce(kMethod.text, /*is_logical=*/false, op, builder);
}

// REDUCE_ANY and REDUCE_ALL are the maximum and minimum of truth values, which WebNN reduces as int32.
template <OperatorName kMethod>
void LowerLogicalReduce(const OpView& op, GraphBuilder& builder) {
  EmitReduce(kMethod.text, /*is_logical=*/true, op, builder);
}

void LowerCumsum(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteCumsumParams>();
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const OperandDescriptor output = builder.descriptor(input);
  const int axis = ConstantAxis(op.input(1), output.rank(), builder);
  if (builder.refused()) return;
  const std::vector<Option> options = {{"exclusive", params.exclusive}, {"reversed", params.reverse}};
  builder.SetOutput(op, 0, builder.Emit({"cumulativeSum", {{"input", input}}, {axis}, options}, output));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinMean, 3, 2, LowerReduce<"reduceMean">, kReal, "reduceMean", "axes not constant"},
    {kTfLiteBuiltinSum, 2, 2, LowerReduce<"reduceSum">, kReal, "reduceSum", "axes not constant"},
    {kTfLiteBuiltinReduceMax, 3, 2, LowerReduce<"reduceMax">, kCopied, "reduceMax", "axes not constant"},
    {kTfLiteBuiltinReduceMin, 3, 2, LowerReduce<"reduceMin">, kCopied, "reduceMin", "axes not constant"},
    {kTfLiteBuiltinReduceProd, 2, 2, LowerReduce<"reduceProduct">, kReal, "reduceProduct", "axes not constant"},
    {kTfLiteBuiltinReduceAny, 1, 2, LowerLogicalReduce<"reduceMax">, kUnknown, "cast, reduceMax", "axes not constant"},
    {kTfLiteBuiltinReduceAll, 1, 2, LowerLogicalReduce<"reduceMin">, kUnknown, "cast, reduceMin", "axes not constant"},
    {kTfLiteBuiltinCumsum, 1, 2, LowerCumsum, kUnknown, "cumulativeSum", "axis not constant"},
};

}  // namespace

constinit const OpRows kReductionOps = kRows;

}  // namespace tflite::webnn
