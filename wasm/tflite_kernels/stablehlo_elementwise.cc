#include "tensorflow/lite/kernels/stablehlo_elementwise.h"

#include <cstdint>

#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

using ops::builtin::ApplyComputation;
using ops::builtin::ComputationType;

template <typename Element, ComputationType kOp>
TfLiteStatus ComputeAll(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* first = GetInput(context, node, 0);
  const auto* x = GetTensorData<Element>(first);
  const auto* y = GetTensorData<Element>(GetInput(context, node, 1));
  auto* to = GetTensorData<Element>(GetOutput(context, node, 0));
  const int64_t count = NumElements(first);
  for (int64_t i = 0; i < count; ++i) to[i] = ApplyComputation<Element, kOp>(x[i], y[i]);
  return kTfLiteOk;
}

// Types that no converter writes here keep TFLite's kernel.
template <ComputationType kOp>
TfLiteStatus Compute(TfLiteContext* context, TfLiteNode* node) {
  switch (GetInput(context, node, 0)->type) {
    case kTfLiteFloat32:
      return ComputeAll<float, kOp>(context, node);
    case kTfLiteInt8:
      return ComputeAll<int8_t, kOp>(context, node);
    case kTfLiteUInt8:
      return ComputeAll<uint8_t, kOp>(context, node);
    case kTfLiteInt16:
      return ComputeAll<int16_t, kOp>(context, node);
    case kTfLiteInt32:
      return ComputeAll<int32_t, kOp>(context, node);
    case kTfLiteUInt32:
      return ComputeAll<uint32_t, kOp>(context, node);
    case kTfLiteInt64:
      return ComputeAll<int64_t, kOp>(context, node);
    case kTfLiteBool:
      return ComputeAll<bool, kOp>(context, node);
    default:
      return ops::builtin::ElementwiseEval<kOp>(context, node);
  }
}

}  // namespace

// TFLite's arithmetic on two tensors of one shape, element after element: its kernel walks a vector of indices.
TfLiteStatus EvalStablehloAdd(TfLiteContext* context, TfLiteNode* node) {
  return Compute<ComputationType::kAdd>(context, node);
}

TfLiteStatus EvalStablehloAnd(TfLiteContext* context, TfLiteNode* node) {
  return Compute<ComputationType::kAnd>(context, node);
}

TfLiteStatus EvalStablehloMultiply(TfLiteContext* context, TfLiteNode* node) {
  return Compute<ComputationType::kMul>(context, node);
}

}  // namespace tflite::webnn
