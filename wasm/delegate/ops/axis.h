#ifndef TFLITE_WEBNN_DELEGATE_OPS_AXIS_H_
#define TFLITE_WEBNN_DELEGATE_OPS_AXIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "delegate/builder/graph_builder.h"
#include "delegate/model/graph_view.h"

namespace tflite::webnn {

// Negative axes count from the end.
inline int NormalizeAxis(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

// The axis in a constant tensor of one integer, or -1 after a rejection.
inline int ConstantAxis(const TensorView& tensor, int rank, GraphBuilder& builder) {
  const std::vector<int> values = tensor.ConstantInts();
  if (values.size() != 1) {
    builder.Reject("the axis must be a constant");
    return -1;
  }
  const int axis = NormalizeAxis(values[0], rank);
  if (axis < 0 || axis >= rank) builder.Reject("axis " + std::to_string(values[0]) + " does not exist");
  return axis;
}

// Elements of the largest tensors in which NaN is looked for: the operators that find it read and write all elements,
// which takes longer than the search itself.
inline constexpr uint64_t kMaxWithNan = 1 << 16;

// Emits argMax or argMin along an axis. The result has `shape`, which may keep the axis. In arg_min_max.cc.
Operand EmitArg(const char* method, Operand input, int axis, DataType type, const std::vector<int>& shape,
                GraphBuilder& builder);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_AXIS_H_
