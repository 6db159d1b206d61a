#include <string>

#include "delegate/ops/ops.h"

// Nodes whose result is known while the graph is built: they become constants, or nothing at all.
namespace tflite::webnn {

// A DEQUANTIZE of a float16 constant disappears: whoever reads it finds the unpacked constant
// (GraphView::UnpackedFrom).
void LowerDequantize(const OpView& op, GraphBuilder& builder) {
  const TensorView output = op.output(0);
  if (!output.IsConstant()) {
    builder.Refuse("only DEQUANTIZE of float16 constants is delegated in this version, found " +
                   std::string(TfLiteTypeGetName(op.input(0).type())) +
                   (op.input(0).IsConstant() ? " constant" : " computed at run time"));
    return;
  }
  builder.SetOutput(op, 0, builder.Tensor(output));
}

// SHAPE, RANK and RANGE of constants: TFLite computes them while it prepares the graph.
void LowerFolded(const OpView& op, GraphBuilder& builder) {
  if (!op.output(0).IsConstant()) {
    builder.Refuse("its result is not known before the model runs");
    return;
  }
  builder.SetOutput(op, 0, builder.Tensor(op.output(0)));
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
