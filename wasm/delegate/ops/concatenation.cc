#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

Operand LowerConcatenation(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteConcatenationParams>();
  std::vector<Operand> inputs;
  for (int i = 0; i < op.input_count(); ++i) {
    if (NumElements(&op.input(i).tensor()) > 0) inputs.push_back(builder.Tensor(op.input(i)));
  }
  if (inputs.empty()) return builder.Reject("all of its inputs are empty");
  const int axis = NormalizeAxis(params.axis, builder.descriptor(inputs[0]).rank());
  return builder.OutputActivation(op, builder.Concat(inputs, axis), params.activation);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinConcatenation, LowerConcatenation, kReal, "concat", ""},
};

}  // namespace

constinit const OpEntries kConcatenationOps = kEntries;

}  // namespace tflite::webnn
