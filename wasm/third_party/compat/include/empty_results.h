#ifndef TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_
#define TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_

#include <algorithm>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// Whether a node that is about to run has nothing to read and to write: some kernels divide by the size of their
// output, or write where it would be. A delegate's node looks by itself.
inline bool HasNothingToCompute(const TfLiteContext& context, const TfLiteNode& node) {
  const auto is_empty = [&context](int index) {
    if (index < 0 || context.tensors[index].dims == nullptr) return false;
    const TfLiteIntArray& shape = *context.tensors[index].dims;
    return std::find(shape.data, shape.data + shape.size, 0) != shape.data + shape.size;
  };
  // The kernel computes the shape of a dynamic result.
  const auto is_empty_result = [&](int index) {
    return is_empty(index) && context.tensors[index].allocation_type != kTfLiteDynamic;
  };
  const TfLiteIntArray &inputs = *node.inputs, &outputs = *node.outputs;
  if (outputs.size == 0 || node.might_have_side_effect || node.delegate != nullptr) return false;
  return std::any_of(inputs.data, inputs.data + inputs.size, is_empty) &&
         std::all_of(outputs.data, outputs.data + outputs.size, is_empty_result);
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_
