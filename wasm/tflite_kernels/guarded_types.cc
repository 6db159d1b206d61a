#include <algorithm>

#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/guards.h"

namespace tflite::webnn {

// The kernels write the type that the operands say.
TfLiteStatus CheckProductType(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteType operand = GetInput(context, node, 0)->type, product = GetOutput(context, node, 0)->type;
  TF_LITE_ENSURE(context, product == operand || (operand == kTfLiteInt8 && product == kTfLiteInt32));
  return kTfLiteOk;
}

// EMBEDDING_LOOKUP copies rows, or dequantizes to the types that have a kernel.
TfLiteStatus CheckRowType(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor *value = GetInput(context, node, 1), *output = GetOutput(context, node, 0);
  const bool is_float = output->type == kTfLiteFloat32 || output->type == kTfLiteFloat16;
  const bool is_copied = value->type == output->type || !is_float;
  if (value->quantization.type == kTfLiteBlockwiseQuantization) {
    TF_LITE_ENSURE(context, is_float);
  } else if (is_copied) {
    TF_LITE_ENSURE_EQ(context, TfLiteTypeGetSizeBits(value->type), TfLiteTypeGetSizeBits(output->type));
  }
  return kTfLiteOk;
}

// LSH_PROJECTION reads its operands as these types.
TfLiteStatus CheckProjectionTypes(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_TYPES_EQ(context, GetInput(context, node, 0)->type, kTfLiteFloat32);
  const TfLiteTensor* weight = GetOptionalInputTensor(context, node, 2);
  if (NumInputs(node) == 3 && weight != nullptr) TF_LITE_ENSURE_TYPES_EQ(context, weight->type, kTfLiteFloat32);
  TF_LITE_ENSURE_TYPES_EQ(context, GetOutput(context, node, 0)->type, kTfLiteInt32);
  return kTfLiteOk;
}

// LOG, RSQRT and SQRT of integers read scales; kernels before them may have changed the type that the file states.
TfLiteStatus CheckScales(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor *input = GetInput(context, node, 0), *output = GetOutput(context, node, 0);
  if (input->type != kTfLiteInt8 && input->type != kTfLiteInt16) return kTfLiteOk;
  TF_LITE_ENSURE_MSG(context, input->quantization.params != nullptr && output->quantization.params != nullptr,
                     "Integers without a scale.");
  return kTfLiteOk;
}

// MUL reads both operands as the result's type, and most of its kernels broadcast six dimensions at most.
TfLiteStatus CheckOperands(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor *input1 = GetInput(context, node, 0), *input2 = GetInput(context, node, 1);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  const bool is_quantized = output->quantization.type != kTfLiteNoQuantization;
  const bool is_byte = output->type == kTfLiteInt8 || output->type == kTfLiteUInt8;
  if (!is_byte && !(is_quantized && output->type == kTfLiteInt16)) {
    TF_LITE_ENSURE_TYPES_EQ(context, input1->type, output->type);
  }
  const bool broadcasts = !is_byte || input1->type != kTfLiteInt16;  // not bytes of int16
  const int rank = std::max(NumDimensions(input1), NumDimensions(input2));
  TF_LITE_ENSURE(context, HaveSameShapes(input1, input2) || (broadcasts && rank <= 6));
  return kTfLiteOk;
}

// PRELU reads the slopes as the input's type.
TfLiteStatus CheckSlopes(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_TYPES_EQ(context, GetInput(context, node, 1)->type, GetInput(context, node, 0)->type);
  return kTfLiteOk;
}

TfLiteStatus CheckSameType(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_TYPES_EQ(context, GetInput(context, node, 0)->type, GetOutput(context, node, 0)->type);
  return kTfLiteOk;
}

// TRANSPOSE_CONV has no kernel for floats and weights of uint8, and reads these as floats.
TfLiteStatus CheckTransposedWeights(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteType weights = GetInput(context, node, 1)->type;
  if (GetInput(context, node, 2)->type != kTfLiteFloat32) return kTfLiteOk;
  TF_LITE_ENSURE(context, weights == kTfLiteFloat32 || weights == kTfLiteInt8);
  return kTfLiteOk;
}

TfLiteStatus CheckSegments(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE(context, NumDimensions(GetInput(context, node, 1)) > 0);
  return CheckSameType(context, node);
}

}  // namespace tflite::webnn
