#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tensorflow/lite/array.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/kernels/padding.h"
#include "tflite_kernels/guards.h"

namespace tflite::webnn {
namespace {

TfLiteStatus ResizeReduction(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor *input = GetInput(context, node, 0), *axes = GetInput(context, node, 1);
  const bool keeps_axes = static_cast<const TfLiteReducerParams*>(node->builtin_data)->keep_dims;
  const int rank = NumDimensions(input);
  std::vector<bool> is_reduced(rank);
  for (int64_t i = 0; i < NumElements(axes); ++i) {
    const int axis = axes->data.i32[i] + (axes->data.i32[i] < 0 ? rank : 0);
    TF_LITE_ENSURE(context, axis >= 0 && axis < rank);
    is_reduced[axis] = true;
  }
  std::vector<int> shape;
  for (int i = 0; i < rank; ++i) {
    if (!is_reduced[i] || keeps_axes) shape.push_back(is_reduced[i] ? 1 : SizeOfDimension(input, i));
  }
  return context->ResizeTensor(context, GetOutput(context, node, 0), BuildTfLiteArray(shape).release());
}

// SUM, REDUCE_PROD: of nothing, the kernels leave quantized results unwritten, and perhaps without their shape.
TfLiteStatus FillReductionOfNothing(TfLiteContext* context, TfLiteNode* node, int result) {
  TfLiteTensor* output = GetOutput(context, node, 0);
  if (IsDynamicTensor(output)) TF_LITE_ENSURE_OK(context, ResizeReduction(context, node));
  const TfLiteQuantizationParams& quantization = output->params;
  const double value =
      quantization.scale > 0 ? std::round(result / quantization.scale) + quantization.zero_point : result;
  const int64_t count = NumElements(output);
  if (output->type == kTfLiteInt8) {
    std::fill_n(output->data.int8, count, static_cast<int8_t>(std::clamp(value, -128.0, 127.0)));
  } else if (output->type == kTfLiteUInt8) {
    std::fill_n(output->data.uint8, count, static_cast<uint8_t>(std::clamp(value, 0.0, 255.0)));
  } else if (output->type == kTfLiteInt16) {
    std::fill_n(output->data.i16, count, static_cast<int16_t>(std::clamp(value, -32768.0, 32767.0)));
  } else if (output->type == kTfLiteInt32) {
    std::fill_n(output->data.i32, count, result);
  } else if (output->type == kTfLiteInt64) {
    std::fill_n(output->data.i64, count, result);
  } else if (output->type == kTfLiteFloat32) {
    std::fill_n(output->data.f, count, result);
  }
  return kTfLiteOk;
}

// TRANSPOSE_CONV: whether the input has the rows and columns that an output of this size needs, or more, whose end is
// cut off.
bool FitsImageBefore(TfLiteContext* context, TfLiteNode* node, int height, int width, bool may_be_cut) {
  const auto& options = *static_cast<const TfLiteTransposeConvParams*>(node->builtin_data);
  const TfLiteTensor *weights = GetInput(context, node, 1), *input = GetInput(context, node, 2);
  if (options.stride_height <= 0 || options.stride_width <= 0) return true;  // the kernel rejects these
  int needed_rows, needed_columns;
  ComputePaddingHeightWidth(options.stride_height, options.stride_width, 1, 1, height, width,
                            SizeOfDimension(weights, 1), SizeOfDimension(weights, 2), options.padding, &needed_rows,
                            &needed_columns);
  const int rows = SizeOfDimension(input, 1) - needed_rows, columns = SizeOfDimension(input, 2) - needed_columns;
  return may_be_cut ? rows >= 0 && columns >= 0 : rows == 0 && columns == 0;
}

}  // namespace

// Convolutions: images have rows and columns.
TfLiteStatus CheckImage(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  if (NumDimensions(input) != 4) return kTfLiteOk;  // the kernel reports it
  TF_LITE_ENSURE_MSG(context, SizeOfDimension(input, 1) > 0 && SizeOfDimension(input, 2) > 0,
                     "The image has no rows or no columns.");
  return kTfLiteOk;
}

// CONV_2D: newer kernels reject groups of different sizes.
TfLiteStatus CheckGroups(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, CheckImage(context, node));
  const TfLiteTensor *input = GetInput(context, node, 0), *weights = GetInput(context, node, 1);
  const int depth = SizeOfDimension(weights, 3);
  const int groups = depth > 0 ? SizeOfDimension(input, 3) / depth : 0;
  TF_LITE_ENSURE_MSG(context, groups > 0 && SizeOfDimension(weights, 0) % groups == 0,
                     "The filters cannot be divided among the groups of channels.");
  return kTfLiteOk;
}

// The kernel compares only when it runs, which it does not on WebNN. Newer kernels count the filters of a channel; for
// int16 and int8 weights, the pinned ones read the file's number, and leave other results unwritten.
TfLiteStatus CheckDepthwise(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, CheckImage(context, node));
  const TfLiteTensor* input = GetInput(context, node, 0);
  const TfLiteTensor* weights = GetInput(context, node, 1);
  TF_LITE_ENSURE(context, SizeOfDimension(input, 3) > 0);
  TF_LITE_ENSURE_EQ(context, SizeOfDimension(weights, 3) % SizeOfDimension(input, 3), 0);
  static_cast<TfLiteDepthwiseConvParams*>(node->builtin_data)->depth_multiplier =
      SizeOfDimension(weights, 3) / SizeOfDimension(input, 3);
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

// Here XNNPACK may still accept the node, which cuts off the end of a full result.
TfLiteStatus CheckImageBefore(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteTransposeConvParams*>(node->builtin_data);
  const TfLiteTensor *shape = GetInput(context, node, 0), *input = GetInput(context, node, 2);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  if (IsDynamicTensor(output)) return kTfLiteOk;
  // The batch is the input's, unless that is nothing.
  const bool is_empty = SizeOfDimension(input, 0) == 0 && IsConstantTensor(shape) && shape->data.i32[0] != 0;
  TF_LITE_ENSURE_MSG(context, !is_empty, "The output's batch is not that of the input.");
  const bool fits = FitsImageBefore(context, node, SizeOfDimension(output, 1), SizeOfDimension(output, 2),
                                    options.padding != kTfLitePaddingSame);
  TF_LITE_ENSURE_MSG(context, fits, "The output's shape is that of another input.");
  return kTfLiteOk;
}

// Col2im() counts the input's rows and columns by the output.
TfLiteStatus CheckImageOfShape(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* shape = GetInput(context, node, 0);
  TF_LITE_ENSURE(context, shape->type == kTfLiteInt32 && NumElements(shape) == 4);
  TF_LITE_ENSURE_MSG(context, FitsImageBefore(context, node, shape->data.i32[1], shape->data.i32[2], false),
                     "The output's shape is that of another input.");
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

TfLiteStatus EvalSumOfNothing(TfLiteContext* context, TfLiteNode* node) {
  return FillReductionOfNothing(context, node, 0);
}

TfLiteStatus EvalProductOfNothing(TfLiteContext* context, TfLiteNode* node) {
  return FillReductionOfNothing(context, node, 1);
}

// Pools: the kernels compute the size of the result without a look at its sign.
TfLiteStatus CheckWindow(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLitePoolParams*>(node->builtin_data);
  const TfLiteTensor* input = GetInput(context, node, 0);
  if (NumDimensions(input) != 4 || options.padding != kTfLitePaddingValid) return kTfLiteOk;
  // As many rows and columns less as there are strides is a result without elements.
  const bool fits = SizeOfDimension(input, 1) + options.stride_height > options.filter_height - options.stride_height &&
                    SizeOfDimension(input, 2) + options.stride_width > options.filter_width - options.stride_width;
  TF_LITE_ENSURE_MSG(context, fits, "The window is larger than the image.");
  return kTfLiteOk;
}

// ARG_MAX, ARG_MIN: nothing has no greatest element.
TfLiteStatus CheckNoEmptyAxis(TfLiteContext* context, TfLiteNode* node) {
  const bool is_empty = NumElements(GetInput(context, node, 0)) == 0;
  const bool has_result = NumElements(GetOutput(context, node, 0)) > 0;
  TF_LITE_ENSURE_MSG(context, !is_empty || !has_result, "The axis is empty.");
  return kTfLiteOk;
}

// BATCH_MATMUL: only later lines of the kernel check the ranks.
TfLiteStatus CheckMatrices(TfLiteContext* context, TfLiteNode* node) {
  for (int i = 0; i < NumInputs(node); ++i) {
    TF_LITE_ENSURE_MSG(context, NumDimensions(GetInput(context, node, i)) >= 2,
                       "A matrix needs two dimensions or more.");
  }
  return kTfLiteOk;
}

// CONV_2D, while it is prepared, divides by the count of groups.
TfLiteStatus CheckChannels(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  TF_LITE_ENSURE(context, NumDimensions(input) != 4 || SizeOfDimension(input, 3) > 0);
  return kTfLiteOk;
}

// RESIZE_BILINEAR: the kernel reads two numbers.
TfLiteStatus CheckImageSize(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_EQ(context, NumElements(GetInput(context, node, 1)), 2);
  return kTfLiteOk;
}

// Convolutions: newer kernels reject filters without rows or columns, by which these divide.
TfLiteStatus CheckFilter(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* weights = GetInput(context, node, 1);
  if (NumDimensions(weights) != 4) return kTfLiteOk;  // the kernel reports it
  TF_LITE_ENSURE_MSG(context, SizeOfDimension(weights, 1) > 0 && SizeOfDimension(weights, 2) > 0,
                     "The filter has no rows or no columns.");
  return kTfLiteOk;
}

// DIV of quantized numbers broadcasts five dimensions.
TfLiteStatus CheckQuotientRank(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor *dividend = GetInput(context, node, 0), *divisor = GetInput(context, node, 1);
  const bool is_quantized = dividend->type != kTfLiteInt32 && dividend->type != kTfLiteFloat32;
  TF_LITE_ENSURE(context, !is_quantized || HaveSameShapes(dividend, divisor) ||
                              std::max(NumDimensions(dividend), NumDimensions(divisor)) <= 5);
  return kTfLiteOk;
}

TfLiteStatus CheckDiagonal(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor *input = GetInput(context, node, 0), *diagonal = GetInput(context, node, 1);
  const int rank = NumDimensions(input);
  const int64_t longer_side = std::max(SizeOfDimension(input, rank - 2), SizeOfDimension(input, rank - 1));
  TF_LITE_ENSURE(context, NumElements(diagonal) * longer_side >= NumElements(input));
  return kTfLiteOk;
}

TfLiteStatus CheckSameShapes(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_MSG(context, HaveSameShapes(GetInput(context, node, 0), GetInput(context, node, 1)),
                     "The inputs have different shapes.");
  return kTfLiteOk;
}

// STRIDED_SLICE compares the count of begins with that of ends only.
TfLiteStatus CheckStrideCount(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_EQ(context, NumElements(GetInput(context, node, 1)), NumElements(GetInput(context, node, 3)));
  return kTfLiteOk;
}

// TOPK_V2: indices of int16 have limits.
TfLiteStatus CheckIndexRange(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  if (GetOutput(context, node, 1)->type != kTfLiteInt16 || NumDimensions(input) == 0) return kTfLiteOk;
  TF_LITE_ENSURE(context, SizeOfDimension(input, NumDimensions(input) - 1) <= INT16_MAX);
  return kTfLiteOk;
}

// WHILE: an input that another caller had removed has no tensor.
TfLiteStatus CheckBodyInputs(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteWhileParams*>(node->builtin_data);
  const auto& subgraphs = *static_cast<Subgraph*>(context->impl_)->GetSubgraphs();
  const auto body = static_cast<size_t>(options.body_subgraph_index);
  if (options.body_subgraph_index < 0 || body >= subgraphs.size()) return kTfLiteOk;  // the kernel reports it
  for (int input : subgraphs[body]->inputs()) TF_LITE_ENSURE(context, input != kTfLiteOptionalTensor);
  return kTfLiteOk;
}

// STABLEHLO_PAD: the kernel copies a scalar without end, and computes in int64 what TFLite keeps as int.
TfLiteStatus CheckEdges(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteStablehloPadParams*>(node->builtin_data);
  const TfLiteTensor* input = GetInput(context, node, 0);
  const int rank = NumDimensions(input);
  TF_LITE_ENSURE_MSG(context, rank >= 1 && rank <= TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT,
                     "The input must have from 1 to 8 dimensions.");
  int64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    const int64_t low = options.edge_padding_low[i], high = options.edge_padding_high[i];
    const int64_t between = options.interior_padding[i];
    TF_LITE_ENSURE_MSG(context, between >= 0, "A padding between elements is negative.");
    const auto [smallest, largest] = std::minmax({between, low, high});
    TF_LITE_ENSURE_MSG(context, smallest >= -INT32_MAX && largest <= INT32_MAX, "The paddings are too large.");
    const int64_t size = (SizeOfDimension(input, i) - 1) * (between + 1) + 1 + low + high;
    count *= std::clamp<int64_t>(size, 0, int64_t{INT32_MAX} + 1);
    TF_LITE_ENSURE_MSG(context, count <= INT32_MAX, "The paddings are too large.");
  }
  return kTfLiteOk;
}

// RESHAPE: TFLite prepares the nodes behind a result of unknown shape before each run only where it is dynamic, and the
// kernel leaves it in its input's memory.
TfLiteStatus MakeUnknownShapeDynamic(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* shape = GetOptionalInputTensor(context, node, 1);
  TfLiteTensor* output = GetOutput(context, node, 0);
  if (shape != nullptr && !IsConstantOrPersistentTensor(shape)) SetTensorToDynamic(output);
  return kTfLiteOk;
}

}  // namespace tflite::webnn
