#include <vector>

#include "delegate/ops/ops.h"
#include "delegate/ops/spatial.h"

namespace tflite::webnn {

// AVERAGE_POOL_2D and MAX_POOL_2D. Both count only what lies inside the input, as WebNN does.
void LowerPool2d(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLitePoolParams>();
  if (op.input(0).rank() != 4) {
    builder.Refuse("input must have rank 4");
    return;
  }
  const Window height{params.filter_height, params.stride_height};
  const Window width{params.filter_width, params.stride_width};
  const Operand input = builder.Tensor(op.input(0));
  if (builder.refused()) return;
  const char* pool = op.builtin_code() == kTfLiteBuiltinMaxPool2d ? "maxPool2d" : "averagePool2d";
  const Operand output = builder.Emit({pool,
                                       {{"input", input}},
                                       {},
                                       {{"windowDimensions", std::vector<int>{height.size, width.size}},
                                        {"padding", Padding2d(params.padding, op.input(0), height, width)},
                                        {"strides", std::vector<int>{height.stride, width.stride}},
                                        {"layout", "nhwc"}}},
                                      {builder.descriptor(input).data_type, op.output(0).shape()});
  builder.SetOutput(op, 0, builder.OutputActivation(op, output, params.activation));
}

}  // namespace tflite::webnn
