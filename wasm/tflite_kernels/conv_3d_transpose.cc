#include <algorithm>
#include <cstdint>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::ops::builtin {

// No header of TFLite declares it.
TfLiteRegistration* Register_CONV_3D_TRANSPOSE_REF();

}  // namespace tflite::ops::builtin

namespace tflite::webnn {
namespace {

const TfLiteConv3DParams& ParamsOf(const TfLiteNode* node) {
  return *static_cast<const TfLiteConv3DParams*>(node->builtin_data);
}

// What TFLite pads before an axis of the output: depth, height, width.
int PaddingBefore(const TfLiteTensor* input, const TfLiteTensor* filter, const int32_t* output_shape, int axis,
                  int stride) {
  const int64_t reach = int64_t{SizeOfDimension(input, 1 + axis) - 1} * stride + SizeOfDimension(filter, axis);
  return static_cast<int>(std::max<int64_t>(0, reach - output_shape[1 + axis]) / 2);
}

// False if the run computes the output's shape, or if the kernel will reject the ranks.
bool HasEqualPaddings(TfLiteContext* context, const TfLiteNode* node) {
  const TfLiteTensor* shape = GetInput(context, node, 0);
  const TfLiteTensor* filter = GetInput(context, node, 1);
  const TfLiteTensor* input = GetInput(context, node, 2);
  if (!IsConstantOrPersistentTensor(shape) || shape->type != kTfLiteInt32 || NumElements(shape) != 5) return false;
  if (NumDimensions(filter) != 5 || NumDimensions(input) != 5) return false;
  const auto* sizes = GetTensorData<int32_t>(shape);
  return PaddingBefore(input, filter, sizes, 0, ParamsOf(node).stride_depth) ==
         PaddingBefore(input, filter, sizes, 1, ParamsOf(node).stride_height);
}

bool IsOptimizedExact(TfLiteContext* context, const TfLiteNode* node) {
  return ParamsOf(node).padding != kTfLitePaddingSame || HasEqualPaddings(context, node);
}

}  // namespace

// CONV_3D_TRANSPOSE with TFLite's reference kernel if the height has another padding than the depth: the optimized one
// uses it for both (Conv3DTranspose in optimized_ops.h).
TfLiteStatus PrepareConv3dTranspose(TfLiteContext* context, TfLiteNode* node) {
  if (IsOptimizedExact(context, node)) return ops::builtin::Register_CONV_3D_TRANSPOSE()->prepare(context, node);
  // For other shapes the optimized one may have left that it needs a temporary tensor.
  const TfLiteRegistration& reference = *ops::builtin::Register_CONV_3D_TRANSPOSE_REF();
  reference.free(context, node->user_data);
  node->user_data = reference.init(context, nullptr, 0);
  return reference.prepare(context, node);
}

TfLiteStatus EvalConv3dTranspose(TfLiteContext* context, TfLiteNode* node) {
  const bool is_exact = IsOptimizedExact(context, node);
  const TfLiteRegistration& kernel =
      is_exact ? *ops::builtin::Register_CONV_3D_TRANSPOSE() : *ops::builtin::Register_CONV_3D_TRANSPOSE_REF();
  return kernel.invoke(context, node);
}

}  // namespace tflite::webnn
