#include <vector>

#include "delegate/ops/families.h"
#include "delegate/ops/spatial.h"

namespace tflite::webnn {
namespace {

Operand EmitPool2d(const char* method, Operand input, const OpView& op, GraphBuilder& builder) {
  if (op.input(0).rank() != 4) return builder.Reject("input must have rank 4");
  const auto& params = op.params<TfLitePoolParams>();
  const Window height{params.filter_height, params.stride_height};
  const Window width{params.filter_width, params.stride_width};
  if (height.size < 1 || width.size < 1 || height.stride < 1 || width.stride < 1)
    return builder.Reject("filter and strides must be 1 or more");
  return builder.Emit({method,
                       {{"input", input}},
                       {},
                       {{"windowDimensions", std::vector<int>{height.size, width.size}},
                        {"padding", Padding2d(params.padding, op.input(0), height, width)},
                        {"strides", std::vector<int>{height.stride, width.stride}},
                        {"layout", "nhwc"}}},
                      {builder.descriptor(input).data_type, op.output(0).shape()});
}

// AVERAGE_POOL_2D and MAX_POOL_2D. Like WebNN, both ignore padding.
template <OperatorName kMethod>
Operand LowerPool2d(const OpView& op, GraphBuilder& builder) {
  const Operand output = EmitPool2d(kMethod.text, builder.Tensor(op.input(0)), op, builder);
  return builder.OutputActivation(op, output, op.params<TfLitePoolParams>().activation);
}

// TFLite takes the root of the mean of squares, WebNN's l2Pool2d the root of their sum.
Operand LowerL2Pool2d(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLitePoolParams>();
  const Operand input = builder.Tensor(op.input(0));
  const Operand squares = builder.Binary("mul", input, input);
  const Operand averages = EmitPool2d("averagePool2d", squares, op, builder);
  return builder.Activation(builder.Unary("sqrt", averages), params.activation);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinAveragePool2d, LowerPool2d<"averagePool2d">, kReal, "averagePool2d", ""},
    {kTfLiteBuiltinMaxPool2d, LowerPool2d<"maxPool2d">, kReal, "maxPool2d", ""},
    {kTfLiteBuiltinL2Pool2d, LowerL2Pool2d, kUnknown, "mul, averagePool2d, sqrt", ""},
};

}  // namespace

constinit const OpEntries kPoolingOps = kEntries;

}  // namespace tflite::webnn
