#ifndef TFLITE_WEBNN_DELEGATE_OPS_INDICES_H_
#define TFLITE_WEBNN_DELEGATE_OPS_INDICES_H_

#include <string>
#include <vector>

#include "delegate/graph_builder.h"
#include "delegate/graph_view.h"

namespace tflite::webnn {

// Refuses out-of-range constant indices; entry i belongs to axis i % sizes.size(). TFLite reports them when the model
// runs; WebNN would take another element.
inline void CheckIndices(const TensorView& indices, const std::vector<int>& sizes, GraphBuilder& builder) {
  if (sizes.empty()) return;
  const std::vector<int> values = indices.ConstantInts();
  for (size_t i = 0; i < values.size(); ++i) {
    const int size = sizes[i % sizes.size()];
    if (values[i] >= 0 && values[i] < size) continue;
    builder.Refuse("index " + std::to_string(values[i]) + " is outside of an axis of " + std::to_string(size));
    return;
  }
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_INDICES_H_
