#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/ops.h"

namespace tflite::webnn {
namespace {

Operand GatherAlong(Operand input, Operand indices, int axis, GraphBuilder& builder) {
  if (builder.refused()) return Operand();
  OperandDescriptor output{builder.descriptor(input).data_type, {}};
  const std::vector<int>& from = builder.shape(input);
  const std::vector<int>& at = builder.shape(indices);
  output.shape.assign(from.begin(), from.begin() + axis);
  output.shape.insert(output.shape.end(), at.begin(), at.end());
  output.shape.insert(output.shape.end(), from.begin() + axis + 1, from.end());
  return builder.Emit({"gather", {{"input", input}, {"indices", indices}}, {}, {{"axis", axis}}}, output);
}

}  // namespace

void LowerGather(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteGatherParams>();
  const Operand input = builder.Tensor(op.input(0));
  const Operand indices = builder.Tensor(op.input(1));
  if (builder.refused()) return;
  if (params.batch_dims != 0) {
    builder.Refuse("WebNN's gather has no batch dimensions, found " + std::to_string(params.batch_dims));
    return;
  }
  const int axis = NormalizeAxis(params.axis, builder.descriptor(input).rank());
  builder.SetOutput(op, 0, GatherAlong(input, indices, axis, builder));
}

// Inputs: ids, table.
void LowerEmbeddingLookup(const OpView& op, GraphBuilder& builder) {
  builder.SetOutput(op, 0, GatherAlong(builder.Tensor(op.input(1)), builder.Tensor(op.input(0)), 0, builder));
}

void LowerGatherNd(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  const Operand indices = builder.Tensor(op.input(1));
  if (builder.refused()) return;
  const OperandDescriptor output{builder.descriptor(input).data_type, op.output(0).shape()};
  builder.SetOutput(op, 0, builder.Emit({"gatherND", {{"input", input}, {"indices", indices}}}, output));
}

// ARG_MAX and ARG_MIN: the first of equal values.
void LowerArgMinMax(const OpView& op, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const int axis = ConstantAxis(op.input(1), builder.descriptor(input).rank(), builder);
  if (builder.refused()) return;
  const auto type = DataTypeFromTfLite(op.output(0).type());
  const char* method = op.builtin_code() == kTfLiteBuiltinArgMax ? "argMax" : "argMin";
  const OperandDescriptor output{type.value_or(DataType::kInt32), op.output(0).shape()};
  builder.SetOutput(op, 0,
                    builder.Emit({method,
                                  {{"input", input}},
                                  {axis},
                                  {{"keepDimensions", false}, {"outputDataType", DataTypeName(output.data_type)}}},
                                 output));
}

}  // namespace tflite::webnn
