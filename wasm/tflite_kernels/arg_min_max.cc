#include <cmath>
#include <cstdint>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// TFLite's kernels compare with a row's first element, and nothing is more than NaN: searches such rows again.
template <typename Index, typename Compare>
void SearchRowsAfterNan(const TfLiteTensor& input, int axis, TfLiteTensor& output, Compare compare) {
  const auto* values = GetTensorData<float>(&input);
  auto* indices = GetTensorData<Index>(&output);
  const int size = SizeOfDimension(&input, axis);
  int64_t outer = 1, inner = 1;
  for (int i = 0; i < NumDimensions(&input); ++i) {
    if (i < axis) outer *= SizeOfDimension(&input, i);
    if (i > axis) inner *= SizeOfDimension(&input, i);
  }
  for (int64_t row = 0; row < outer * inner; ++row) {
    const float* const first = values + row / inner * size * inner + row % inner;
    if (!std::isnan(*first)) continue;
    int best = 0;
    for (int i = 1; i < size; ++i) {
      const float value = first[i * inner];
      if (std::isnan(first[best * inner]) ? !std::isnan(value) : compare(value, first[best * inner])) best = i;
    }
    indices[row] = best;
  }
}

template <typename Compare>
TfLiteStatus Search(const TfLiteRegistration& kernel, TfLiteContext* context, TfLiteNode* node, Compare compare) {
  TF_LITE_ENSURE_STATUS(kernel.invoke(context, node));
  const TfLiteTensor& input = context->tensors[node->inputs->data[0]];
  const TfLiteTensor& dimension = context->tensors[node->inputs->data[1]];
  TfLiteTensor& output = context->tensors[node->outputs->data[0]];
  if (input.type != kTfLiteFloat32 || NumElements(&output) == 0) return kTfLiteOk;
  const int64_t axis =
      dimension.type == kTfLiteInt64 ? *GetTensorData<int64_t>(&dimension) : *GetTensorData<int32_t>(&dimension);
  const int positive = static_cast<int>(axis < 0 ? axis + NumDimensions(&input) : axis);
  if (output.type == kTfLiteInt64) {
    SearchRowsAfterNan<int64_t>(input, positive, output, compare);
  } else {
    SearchRowsAfterNan<int32_t>(input, positive, output, compare);
  }
  return kTfLiteOk;
}

}  // namespace

// ARG_MAX and ARG_MIN of float32: as in newer native LiteRT, NaN is never the result unless a row has nothing else.
TfLiteStatus EvalArgMax(TfLiteContext* context, TfLiteNode* node) {
  return Search(*ops::builtin::Register_ARG_MAX(), context, node, [](float a, float b) { return a > b; });
}

TfLiteStatus EvalArgMin(TfLiteContext* context, TfLiteNode* node) {
  return Search(*ops::builtin::Register_ARG_MIN(), context, node, [](float a, float b) { return a < b; });
}

}  // namespace tflite::webnn
