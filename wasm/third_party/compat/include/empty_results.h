#ifndef TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_
#define TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_

#include <algorithm>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// Without elements, of a shape that no run changes.
inline bool IsEmpty(const TfLiteTensor& tensor) {
  if (tensor.allocation_type == kTfLiteDynamic || tensor.dims == nullptr) return false;
  const int *begin = tensor.dims->data, *end = begin + tensor.dims->size;
  return std::find(begin, end, 0) != end;
}

// Whether a node that is about to run has nothing to read and to write: some kernels divide by the size of their
// output, or write where it would be. A delegate's node looks by itself.
inline bool HasNothingToCompute(const TfLiteContext& context, const TfLiteNode& node) {
  const auto is_empty = [&context](int index) { return index >= 0 && IsEmpty(context.tensors[index]); };
  const TfLiteIntArray &inputs = *node.inputs, &outputs = *node.outputs;
  if (outputs.size == 0 || node.might_have_side_effect || node.delegate != nullptr) return false;
  return std::any_of(inputs.data, inputs.data + inputs.size, is_empty) &&
         std::all_of(outputs.data, outputs.data + outputs.size, is_empty);
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_
