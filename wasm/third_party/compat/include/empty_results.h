#ifndef TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_
#define TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_

#include <algorithm>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// Whether a node that is about to run has nothing to compute: some kernels divide by the size of their output, or write
// where it would be. A delegate's node looks by itself.
inline bool HasNothingToCompute(const TfLiteContext& context, const TfLiteNode& node) {
  const TfLiteIntArray& outputs = *node.outputs;
  if (outputs.size == 0 || node.might_have_side_effect || node.delegate != nullptr) return false;
  return std::all_of(outputs.data, outputs.data + outputs.size, [&context](int index) {
    if (index == kTfLiteOptionalTensor) return true;
    // The kernel computes the shape of a dynamic tensor.
    const TfLiteTensor& output = context.tensors[index];
    return output.allocation_type != kTfLiteDynamic && output.dims != nullptr &&
           std::find(output.dims->data, output.dims->data + output.dims->size, 0) !=
               output.dims->data + output.dims->size;
  });
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_EMPTY_RESULTS_H_
