#include <string>

#include "delegate/ops/ops.h"

// Nodes whose result is known while the graph is built: they become constants, or nothing at all.
namespace tflite::webnn {

// DEQUANTIZE, except of float16 constants (LowerNode).
void LowerDequantize(const OpView& op, GraphBuilder& builder) {
  builder.Refuse("only DEQUANTIZE of float16 constants is delegated in this version, found " +
                 std::string(TfLiteTypeGetName(op.input(0).type())) +
                 (op.input(0).IsConstant() ? " constant" : " computed at run time"));
}

// SHAPE, RANK and RANGE whose result TFLite could not compute while it prepared the graph.
void LowerUnfolded(const OpView&, GraphBuilder& builder) {
  builder.Refuse("its result is not known before the model runs");
}

void LowerFill(const OpView& op, GraphBuilder& builder) {
  const Operand value = builder.Tensor(op.input(1));
  if (builder.refused()) return;
  if (!op.input(0).IsConstant()) {
    builder.Refuse("the shape must be a constant");
    return;
  }
  const OperandDescriptor output{builder.descriptor(value).data_type, op.output(0).shape()};
  builder.SetOutput(op, 0, builder.Emit({"expand", {{"input", value}}, {output.shape}}, output));
}

}  // namespace tflite::webnn
