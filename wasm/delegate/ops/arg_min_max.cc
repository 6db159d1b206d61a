#include <cmath>
#include <string_view>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/ops/families.h"

namespace tflite::webnn {

Operand EmitArg(const char* method, Operand input, int axis, DataType type, const std::vector<int>& shape,
                GraphBuilder& builder) {
  if (builder.rejected()) return Operand();
  std::vector<int> reduced = builder.shape(input);
  const bool keeps = shape.size() == reduced.size() && !builder.WorksAround(Workaround::kArgKeepDimensions);
  if (keeps) {
    reduced[axis] = 1;
  } else {
    reduced.erase(reduced.begin() + axis);
  }
  const std::vector<Option> options = {{"keepDimensions", keeps}, {"outputDataType", DataTypeName(type)}};
  return builder.Reshape(builder.Emit({method, {{"input", input}}, {axis}, options}, {type, reduced}), shape);
}

namespace {

DataType IndexType(const TensorView& output) {
  return output.type() == kTfLiteInt64 ? DataType::kInt64 : DataType::kInt32;
}

// ARG_MAX and ARG_MIN return the first of equal values. They ignore NaN, which engines treat as more or less than all
// behind it: it becomes the number that is the last to be found, in tensors that are not large.
template <OperatorName kMethod>
Operand LowerArgMinMax(const OpView& op, GraphBuilder& builder) {
  Operand input = builder.Tensor(op.input(0));
  if (op.input(0).type() == kTfLiteFloat32 && builder.descriptor(input).element_count() <= kMaxWithNan) {
    const float last = std::string_view(kMethod.text) == "argMax" ? -INFINITY : INFINITY;
    const Operand number = builder.Scalar(last);
    input = builder.Where(builder.Compare("equal", input, input), input, number);
  }
  const int axis = ConstantAxis(op.input(1), builder.descriptor(input).rank(), builder);
  const TensorView output = op.output(0);
  return EmitArg(kMethod.text, input, axis, IndexType(output), output.shape(), builder);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinArgMax, LowerArgMinMax<"argMax">, kReal, "argMax; equal, where (small float32)",
     "axis not constant"},
    {kTfLiteBuiltinArgMin, LowerArgMinMax<"argMin">, kReal, "argMin; equal, where (small float32)",
     "axis not constant"},
};

}  // namespace

constinit const OpEntries kArgMinMaxOps = kEntries;

}  // namespace tflite::webnn
