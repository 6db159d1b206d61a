#include <set>
#include <vector>

#include "delegate/ops/ops.h"

namespace tflite::webnn {
namespace {

const char* ReduceOperator(int builtin_code) {
  switch (builtin_code) {
    case kTfLiteBuiltinMean:
      return "reduceMean";
    case kTfLiteBuiltinSum:
      return "reduceSum";
    case kTfLiteBuiltinReduceMax:
      return "reduceMax";
    default:
      return "reduceMin";
  }
}

}  // namespace

void LowerReduce(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const int rank = builder.descriptor(input).rank();
  std::set<int> axes;  // TFLite allows one axis to be named twice, WebNN does not
  for (int axis : op.input(1).ConstantInts()) axes.insert(axis < 0 ? axis + rank : axis);
  if (axes.empty()) {
    builder.Refuse("the axes must be a constant with at least one axis");
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
  builder.SetOutput(op, 0, builder.Emit({ReduceOperator(op.builtin_code()), {{"input", input}}, {}, options}, output));
}

}  // namespace tflite::webnn
