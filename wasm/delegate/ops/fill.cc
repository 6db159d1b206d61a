#include <string>
#include <vector>

#include "delegate/ops/families.h"

// Nodes whose result is usually known while the graph is built: it becomes a constant.
namespace tflite::webnn {
namespace {

// SHAPE, RANK, RANGE, BROADCAST_ARGS and DENSIFY whose result TFLite could not compute while it prepared the graph.
Operand LowerUnfolded(const OpView&, GraphBuilder& builder) {
  return builder.Reject("its result is not known before the model runs");
}

Operand LowerFill(const OpView& op, GraphBuilder& builder) {
  const Operand value = builder.Tensor(op.input(1));
  if (!op.input(0).IsConstant()) return builder.Reject("the shape must be a constant");
  if (op.input(1).rank() != 0) return builder.Reject("the value must be one number");
  const OperandDescriptor output{builder.descriptor(value).data_type, op.output(0).shape()};
  return builder.Emit({"expand", {{"input", value}}, {output.shape}}, output);
}

Operand LowerZerosLike(const OpView& op, GraphBuilder& builder) {
  const auto type = DataTypeFromTfLite(op.output(0).type());
  const std::vector<int> shape = op.output(0).shape();
  if (!type) return builder.Reject(std::string("WebNN has no type ") + TfLiteTypeGetName(op.output(0).type()));
  return builder.Emit({"expand", {{"input", builder.Scalar(*type, 0)}}, {shape}}, {*type, shape});
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinShape, LowerUnfolded, kUnknown, "constant", "shapes not known before the run"},
    {kTfLiteBuiltinRank, LowerUnfolded, kUnknown, "constant", ""},
    {kTfLiteBuiltinRange, LowerUnfolded, kUnknown, "constant", "limits not constant"},
    {kTfLiteBuiltinBroadcastArgs, LowerUnfolded, kUnknown, "constant", "shapes not constant"},
    {kTfLiteBuiltinFill, LowerFill, kCopied, "expand", "shape not constant"},
    {kTfLiteBuiltinZerosLike, LowerZerosLike, kUnknown, "constant", ""},
    {kTfLiteBuiltinDensify, LowerUnfolded, kUnknown, "constant", "input not constant"},
};

}  // namespace

constinit const OpEntries kFillOps = kEntries;

}  // namespace tflite::webnn
