#include <set>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/ops.h"

namespace tflite::webnn {
namespace {

const char* ReduceOperator(int builtin_code) {
  switch (builtin_code) {
    case kTfLiteBuiltinMean:
      return "reduceMean";
    case kTfLiteBuiltinSum:
      return "reduceSum";
    case kTfLiteBuiltinReduceProd:
      return "reduceProduct";
    case kTfLiteBuiltinReduceMax:
    case kTfLiteBuiltinReduceAny:
      return "reduceMax";
    default:  // REDUCE_MIN and REDUCE_ALL
      return "reduceMin";
  }
}

}  // namespace

// REDUCE_ANY and REDUCE_ALL are the maximum and minimum of truth values, which WebNN reduces as int32.
void LowerReduce(const OpView& op, GraphBuilder& builder) {
  Operand input = builder.Tensor(op.input(0));
  const bool is_logical = op.builtin_code() == kTfLiteBuiltinReduceAny || op.builtin_code() == kTfLiteBuiltinReduceAll;
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
  const Operand reduced = builder.Emit({ReduceOperator(op.builtin_code()), {{"input", input}}, {}, options}, output);
  builder.SetOutput(op, 0, is_logical ? builder.Cast(reduced, DataType::kUint8) : reduced);
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

}  // namespace tflite::webnn
