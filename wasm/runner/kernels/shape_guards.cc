#include "runner/kernels/shape_guards.h"

#include <cstdint>
#include <cstring>

#include "runner/kernels/own_kernels.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/kernels/padding.h"

namespace tflite::webnn {
namespace {

// ARG_MAX, ARG_MIN: nothing has no greatest element.
TfLiteStatus CheckNoEmptyAxis(TfLiteContext* context, TfLiteNode* node) {
  const bool is_empty = NumElements(GetInput(context, node, 0)) == 0;
  const bool has_result = NumElements(GetOutput(context, node, 0)) > 0;
  TF_LITE_ENSURE_MSG(context, !is_empty || !has_result, "The axis is empty.");
  return kTfLiteOk;
}

// Convolutions: images have rows and columns.
TfLiteStatus CheckImage(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  if (NumDimensions(input) != 4) return kTfLiteOk;  // the kernel reports it
  TF_LITE_ENSURE_MSG(context, SizeOfDimension(input, 1) > 0 && SizeOfDimension(input, 2) > 0,
                     "The image has no rows or no columns.");
  return kTfLiteOk;
}

// The kernel compares only when it runs, which it does not on WebNN.
TfLiteStatus CheckDepthwise(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, CheckImage(context, node));
  const TfLiteTensor* input = GetInput(context, node, 0);
  const TfLiteTensor* weights = GetInput(context, node, 1);
  TF_LITE_ENSURE(context, SizeOfDimension(input, 3) > 0);
  TF_LITE_ENSURE_EQ(context, SizeOfDimension(weights, 3) % SizeOfDimension(input, 3), 0);
  return kTfLiteOk;
}

// REVERSE_SEQUENCE: the kernel compares only when it runs, which it does not for no elements.
TfLiteStatus CheckLengths(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteReverseSequenceParams*>(node->builtin_data);
  const TfLiteTensor* input = GetInput(context, node, 0);
  const TfLiteTensor* lengths = GetInput(context, node, 1);
  if (NumDimensions(lengths) != 1 || options.batch_dim < 0 || options.batch_dim >= NumDimensions(input))
    return kTfLiteOk;
  TF_LITE_ENSURE_EQ(context, SizeOfDimension(lengths, 0), SizeOfDimension(input, options.batch_dim));
  return kTfLiteOk;
}

// TRANSPOSE_CONV: likewise.
TfLiteStatus CheckImageBefore(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteTransposeConvParams*>(node->builtin_data);
  const TfLiteTensor* weights = GetInput(context, node, 1);
  const TfLiteTensor* input = GetInput(context, node, 2);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  if (IsDynamicTensor(output) || options.stride_height <= 0 || options.stride_width <= 0) return kTfLiteOk;
  int height, width;
  ComputePaddingHeightWidth(options.stride_height, options.stride_width, 1, 1, SizeOfDimension(output, 1),
                            SizeOfDimension(output, 2), SizeOfDimension(weights, 1), SizeOfDimension(weights, 2),
                            options.padding, &height, &width);
  const int rows = SizeOfDimension(input, 1) - height, columns = SizeOfDimension(input, 2) - width;
  // The batch is the input's, unless that is nothing.
  const TfLiteTensor* shape = GetInput(context, node, 0);
  const bool is_empty = SizeOfDimension(input, 0) == 0 && IsConstantTensor(shape) && shape->data.i32[0] != 0;
  TF_LITE_ENSURE_MSG(context, !is_empty, "The output's batch is not that of the input.");
  // The end of a full result may be cut off.
  const bool fits = options.padding == kTfLitePaddingSame ? rows == 0 && columns == 0 : rows >= 0 && columns >= 0;
  TF_LITE_ENSURE_MSG(context, fits, "The output's shape is that of another input.");
  return kTfLiteOk;
}

// MIRROR_PAD: REFLECT needs an element to reflect at.
TfLiteStatus CheckMirror(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteMirrorPaddingParams*>(node->builtin_data);
  const TfLiteTensor* input = GetInput(context, node, 0);
  for (int i = 0; options.mode == kTfLiteMirrorPaddingReflect && i < NumDimensions(input); ++i) {
    TF_LITE_ENSURE_MSG(context, SizeOfDimension(input, i) > 0, "There is nothing to reflect.");
  }
  return kTfLiteOk;
}

// GATHER_ND: of nothing, nothing can be gathered.
TfLiteStatus CheckGathered(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE(context, NumElements(GetInput(context, node, 0)) > 0 || NumElements(GetInput(context, node, 1)) == 0);
  return kTfLiteOk;
}

template <typename Index>
TfLiteStatus CheckIndices(TfLiteContext* context, const TfLiteTensor* params, const TfLiteTensor* indices) {
  const int depth = NumDimensions(indices) == 0 ? 0 : SizeOfDimension(indices, NumDimensions(indices) - 1);
  if (depth == 0 || depth > NumDimensions(params)) return kTfLiteOk;
  const Index* data = GetTensorData<Index>(indices);
  for (int64_t i = 0; i < NumElements(indices); ++i) {
    const int axis = static_cast<int>(i % depth);
    if (data[i] >= 0 && static_cast<int64_t>(data[i]) < SizeOfDimension(params, axis)) continue;
    TF_LITE_KERNEL_LOG(context, "index %d is out of bounds: dimension %d has the size %d", static_cast<int>(data[i]),
                       axis, SizeOfDimension(params, axis));
    return kTfLiteError;
  }
  return kTfLiteOk;
}

// GATHER_ND: the kernel only looks whether the element is in the tensor.
TfLiteStatus CheckGatheredIndices(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* params = GetInput(context, node, 0);
  const TfLiteTensor* indices = GetInput(context, node, 1);
  if (indices->type == kTfLiteInt16) return CheckIndices<int16_t>(context, params, indices);
  if (indices->type == kTfLiteInt32) return CheckIndices<int32_t>(context, params, indices);
  if (indices->type == kTfLiteInt64) return CheckIndices<int64_t>(context, params, indices);
  return kTfLiteOk;
}

// PAD, PADV2: of nothing, the kernel writes only the first values.
TfLiteStatus EvalPadOfNothing(TfLiteContext* context, TfLiteNode* node) {
  TfLiteTensor* output = GetOutput(context, node, 0);
  const TfLiteTensor* value = GetOptionalInputTensor(context, node, 2);
  const int64_t count = NumElements(output);
  if (count == 0 || output->bytes % count != 0) return kTfLiteOk;
  const size_t size = output->bytes / count;
  const int64_t zero = output->params.zero_point;  // little-endian: the first bytes are those of int8 and int16
  const void* element = value != nullptr ? static_cast<const void*>(value->data.raw) : &zero;
  TF_LITE_ENSURE(context, value != nullptr ? value->bytes >= size : size <= sizeof(int64_t));
  for (int64_t i = 0; i < count; ++i) memcpy(output->data.raw + i * size, element, size);
  return kTfLiteOk;
}

using Check = TfLiteStatus (*)(TfLiteContext*, TfLiteNode*);

TfLiteStatus Accept(TfLiteContext*, TfLiteNode*) { return kTfLiteOk; }

// The kernel of an op, around the registered one.
template <BuiltinOperator kOp, Check kCheckShapes, Check kCheckValues = Accept, Check kEvalNothing = nullptr>
class Guarded {
 public:
  static void Register(MutableOpResolver& resolver) {
    const TfLiteRegistration* registered = resolver.FindOp(kOp, 1);
    if (registered == nullptr) return;
    kernel_ = *registered;
    ReplaceKernel(resolver, kOp, Invoke, Prepare);
  }

 private:
  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
    TF_LITE_ENSURE_OK(context, kernel_.prepare(context, node));
    return kCheckShapes(context, node);
  }

  static TfLiteStatus Invoke(TfLiteContext* context, TfLiteNode* node) {
    TF_LITE_ENSURE_OK(context, kCheckValues(context, node));
    if (kEvalNothing != nullptr && NumElements(GetInput(context, node, 0)) == 0) return kEvalNothing(context, node);
    return kernel_.invoke(context, node);
  }

  static inline TfLiteRegistration kernel_;  // the same functions in all versions
};

}  // namespace

void GuardShapes(MutableOpResolver& resolver) {
  Guarded<BuiltinOperator_ARG_MAX, Accept, CheckNoEmptyAxis>::Register(resolver);
  Guarded<BuiltinOperator_ARG_MIN, Accept, CheckNoEmptyAxis>::Register(resolver);
  Guarded<BuiltinOperator_CONV_2D, CheckImage>::Register(resolver);
  Guarded<BuiltinOperator_DEPTHWISE_CONV_2D, CheckDepthwise>::Register(resolver);
  Guarded<BuiltinOperator_GATHER_ND, CheckGathered, CheckGatheredIndices>::Register(resolver);
  Guarded<BuiltinOperator_MIRROR_PAD, CheckMirror>::Register(resolver);
  Guarded<BuiltinOperator_PAD, Accept, Accept, EvalPadOfNothing>::Register(resolver);
  Guarded<BuiltinOperator_PADV2, Accept, Accept, EvalPadOfNothing>::Register(resolver);
  Guarded<BuiltinOperator_REVERSE_SEQUENCE, CheckLengths>::Register(resolver);
  Guarded<BuiltinOperator_TRANSPOSE_CONV, CheckImageBefore>::Register(resolver);
}

}  // namespace tflite::webnn
