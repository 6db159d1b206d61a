#include <numeric>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// Each position of a ONE_HOT is a constant of the graph.
constexpr int kMaxDepth = 1 << 24;

Operand OneElement(const TensorView& tensor, GraphBuilder& builder) {
  const Operand element = builder.Tensor(tensor);
  if (builder.descriptor(element).element_count() != 1) return builder.Reject("on and off values must be one element");
  return builder.Reshape(element, {});
}

// Inputs: indices, depth, on value, off value. Compares indices as [outer, 1, inner] with [depth, 1].
Operand LowerOneHot(const OpView& op, GraphBuilder& builder) {
  // Of int64, TFLite's kernel reads the lowest 32 bits, too.
  const Operand indices = builder.Cast(builder.Tensor(op.input(0)), DataType::kInt32);
  const Operand on_value = OneElement(op.input(2), builder);
  const Operand off_value = OneElement(op.input(3), builder);
  const std::vector<int> shape = builder.shape(indices);
  const int rank = static_cast<int>(shape.size());
  const int axis = op.params<TfLiteOneHotParams>().axis;
  const std::vector<int> depth = op.input(1).ConstantInts();
  if (depth.size() != 1 || depth[0] < 1 || depth[0] > kMaxDepth || axis < -1 || axis > rank)
    return builder.Reject("the depth must be a constant from 1 to 16777216, and the axis one of the result's");
  int outer = 1;
  for (int i = 0; i < (axis < 0 ? rank : axis); ++i) outer *= shape[i];
  const int inner = static_cast<int>(builder.descriptor(indices).element_count()) / outer;
  if (!builder.CanMake(depth[0])) return Operand();
  std::vector<int32_t> positions(depth[0]);
  std::iota(positions.begin(), positions.end(), 0);
  const Operand is_on =
      builder.Compare("equal", builder.Reshape(indices, {outer, 1, inner}), builder.Constant({depth[0], 1}, positions));
  return builder.Reshape(builder.Where(is_on, on_value, off_value), op.output(0).shape());
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinOneHot, LowerOneHot, kUnknown, "equal, where", "depth not constant"},
};

}  // namespace

constinit const OpEntries kOneHotOps = kEntries;

}  // namespace tflite::webnn
