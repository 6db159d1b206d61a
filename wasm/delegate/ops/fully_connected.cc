#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// FULLY_CONNECTED is gemm on the input seen as [batch, depth]; the filter is [units, depth].
Operand LowerFullyConnected(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteFullyConnectedParams>();
  if (params.weights_format != kTfLiteFullyConnectedWeightsFormatDefault)
    return builder.Reject("shuffled weights have no WebNN layout");
  if (op.input(1).rank() != 2 || op.input(1).dim(1) == 0) return builder.Reject("the weights must have rank 2");
  const Operand input = builder.Tensor(op.input(0));
  const Operand filter = builder.Tensor(op.input(1));
  std::vector<Option> options = {{"bTranspose", true}};
  const Operand bias = builder.Bias(op, 2, op.input(0), op.input(1), op.input(1).dim(0));
  if (bias.valid()) options.push_back({"c", bias});

  const OperandDescriptor input_descriptor = builder.descriptor(input);
  const int depth = op.input(1).dim(-1);
  const int units = op.input(1).dim(0);
  if (input_descriptor.element_count() % depth != 0) builder.Reject("the weights' depth does not divide the input");
  const int batch = static_cast<int>(input_descriptor.element_count() / depth);
  const Operand matrix = builder.Reshape(input, {batch, depth});
  const OperandDescriptor output{input_descriptor.data_type, {batch, units}};
  Operand product;
  const bool is_computed = !op.input(1).IsConstant() && op.input(1).type() == kTfLiteFloat32;
  if (!is_computed || !builder.WorksAround(Workaround::kGemmNan)) {
    product = builder.Emit({"gemm", {{"a", matrix}, {"b", filter}}, {}, std::move(options)}, output);
  } else {
    product = builder.Emit({"matmul", {{"a", matrix}, {"b", builder.Transpose(filter, {1, 0})}}}, output);
    if (bias.valid()) product = builder.Binary("add", product, bias);
  }
  const Operand activated = builder.OutputActivation(op, product, params.activation);
  return builder.Reshape(builder.Requantize(activated, op.output(0)), op.output(0).shape());
}

double ProductsPerElement(const OpView& op) { return op.LastSize(1); }

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinFullyConnected, LowerFullyConnected, kReal, "gemm; transpose, matmul (computed weights)",
     "shuffled weights", ProductsPerElement},
};

}  // namespace

constinit const OpEntries kFullyConnectedOps = kEntries;

}  // namespace tflite::webnn
