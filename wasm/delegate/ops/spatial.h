#ifndef TFLITE_WEBNN_DELEGATE_OPS_SPATIAL_H_
#define TFLITE_WEBNN_DELEGATE_OPS_SPATIAL_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "delegate/model/graph_view.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {

// How a window moves along one spatial axis.
struct Window {
  int size;
  int stride;
  int dilation = 1;
};

// Strides and dilations come unchecked from the file: their products may exceed int.
inline int Saturated(int64_t value) {
  constexpr int64_t kLargest = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp(value, -kLargest, kLargest));
}

// The extent that the ceil(input / stride) outputs of SAME padding read: more or less than the input.
inline int64_t SameExtent(int input_size, const Window& window) {
  const int64_t output_size = (int64_t{input_size} + window.stride - 1) / window.stride;
  return (output_size - 1) * window.stride + (int64_t{window.size} - 1) * window.dilation + 1;
}

// Appends the zeros before and after one axis for TFLite's padding scheme: none for VALID; for SAME as
// many as ceil(input / stride) outputs need, the odd one after.
inline void AppendPadding(TfLitePadding padding, int input_size, const Window& window, std::vector<int>* out) {
  int total = 0;
  if (padding == kTfLitePaddingSame && window.stride > 0) {
    total = std::max(Saturated(SameExtent(input_size, window) - input_size), 0);
  }
  out->push_back(total / 2);
  out->push_back(total - total / 2);
}

// MLConv2dOptions.padding, [beginning height, ending height, beginning width, ending width], of an
// NHWC input.
inline std::vector<int> Padding2d(TfLitePadding padding, const TensorView& input, const Window& height,
                                  const Window& width) {
  std::vector<int> result;
  AppendPadding(padding, input.dim(1), height, &result);
  AppendPadding(padding, input.dim(2), width, &result);
  return result;
}

// OpEntry::products_per_element for filters whose first axis is the output's channels.
inline double FilterProducts(const OpView& op) {
  if (!op.HasRank(1, 4)) return 0;
  const TensorView filter = op.input(1);
  return filter.dim(0) > 0 ? NumElements(&filter.tensor()) / filter.dim(0) : 0;
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_SPATIAL_H_
