#include "delegate/ops/ops.h"

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

}  // namespace tflite::webnn
