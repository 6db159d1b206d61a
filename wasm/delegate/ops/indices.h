#ifndef TFLITE_WEBNN_DELEGATE_OPS_INDICES_H_
#define TFLITE_WEBNN_DELEGATE_OPS_INDICES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "delegate/builder/graph_builder.h"
#include "delegate/model/graph_view.h"

namespace tflite::webnn {

// Rejects out-of-range constant indices; entry i belongs to axis i % sizes.size(). TFLite reports them when the model
// runs; WebNN would read another element.
inline void CheckIndices(const TensorView& indices, const std::vector<int>& sizes, GraphBuilder& builder) {
  if (sizes.empty()) return;
  const std::vector<int> values = indices.ConstantInts();
  for (size_t i = 0; i < values.size(); ++i) {
    const int size = sizes[i % sizes.size()];
    if (values[i] >= 0 && values[i] < size) continue;
    builder.Reject("index " + std::to_string(values[i]) + " is outside of an axis of " + std::to_string(size));
    return;
  }
}

// The same, and lets callers check those that are known only when the model runs.
inline void LimitIndices(const TensorView& indices, Operand operand, const std::vector<int>& sizes,
                         GraphBuilder& builder) {
  CheckIndices(indices, sizes, builder);
  if (!indices.IsConstant()) builder.LimitIndices(operand, sizes);
}

// Integers as int32, each limited to [lowest, highest] first: int64 numbers that int32 does not hold would become
// others. The limits are broadcast to x.
inline Operand LimitedInt32(Operand x, const std::vector<int>& shape, const std::vector<int64_t>& lowest,
                            const std::vector<int64_t>& highest, GraphBuilder& builder) {
  const DataType type = builder.descriptor(x).data_type;
  const Operand raised = builder.Binary("max", x, builder.Constant(type, shape, lowest));
  return builder.Cast(builder.Binary("min", raised, builder.Constant(type, shape, highest)), DataType::kInt32);
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_INDICES_H_
