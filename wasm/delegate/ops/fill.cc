#include <string>
#include <vector>

#include "delegate/ops/families.h"

// Nodes whose result is usually known while the graph is built: it becomes a constant.
namespace tflite::webnn {
namespace {

// SHAPE, RANK, RANGE, BROADCAST_ARGS and DENSIFY whose result TFLite could not compute while it prepared the graph.
void LowerUnfolded(const OpView&, GraphBuilder& builder) {
  builder.Reject("its result is not known before the model runs");
}

void LowerFill(const OpView& op, GraphBuilder& builder) {
  const Operand value = builder.Tensor(op.input(1));
  if (!op.input(0).IsConstant()) {
    builder.Reject("the shape must be a constant");
    return;
  }
  const OperandDescriptor output{builder.descriptor(value).data_type, op.output(0).shape()};
  builder.SetOutput(op, 0, builder.Emit({"expand", {{"input", value}}, {output.shape}}, output));
}

void LowerZerosLike(const OpView& op, GraphBuilder& builder) {
  const auto type = DataTypeFromTfLite(op.output(0).type());
  const std::vector<int> shape = op.output(0).shape();
  if (!type) {
    builder.Reject(std::string("WebNN has no type ") + TfLiteTypeGetName(op.output(0).type()));
    return;
  }
  builder.SetOutput(op, 0,
                    builder.Emit({"expand", {{"input", builder.Constant(*type, {}, {0})}}, {shape}}, {*type, shape}));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinShape, LowerUnfolded, kUnknown, "constant", "shapes not known before the run"},
    {kTfLiteBuiltinRank, LowerUnfolded, kUnknown, "constant", ""},
    {kTfLiteBuiltinRange, LowerUnfolded, kUnknown, "constant", "limits not constant"},
    {kTfLiteBuiltinBroadcastArgs, LowerUnfolded, kUnknown, "constant", "shapes not constant"},
    {kTfLiteBuiltinFill, LowerFill, kCopied, "expand", "shape not constant"},
    {kTfLiteBuiltinZerosLike, LowerZerosLike, kUnknown, "constant", ""},
    {kTfLiteBuiltinDensify, LowerUnfolded, kUnknown, "constant", "input not constant"},
};

}  // namespace

constinit const OpRows kFillOps = kRows;

}  // namespace tflite::webnn
