#include "runner/kernels/folding_pack.h"

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

const TfLiteRegistration& Pack() { return *ops::builtin::Register_PACK(); }

bool InputsAreKnown(TfLiteContext* context, const TfLiteNode* node) {
  for (int i = 0; i < NumInputs(node); ++i) {
    const TfLiteTensor* input = GetInput(context, node, i);
    if (input == nullptr || !IsConstantOrPersistentTensor(input)) return false;
  }
  return true;
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  const bool fold = InputsAreKnown(context, node);
  TfLiteTensor* output;
  TF_LITE_ENSURE_OK(context, GetOutputSafe(context, node, 0, &output));
  if (fold) SetTensorToPersistentRo(output);
  TF_LITE_ENSURE_OK(context, Pack().prepare(context, node));
  return fold ? Pack().invoke(context, node) : kTfLiteOk;
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* output = GetOutput(context, node, 0);
  return IsConstantOrPersistentTensor(output) ? kTfLiteOk : Pack().invoke(context, node);
}

}  // namespace

const TfLiteRegistration* RegisterFoldingPack() {
  static const TfLiteRegistration registration = [] {
    TfLiteRegistration r = Pack();
    r.prepare = Prepare;
    r.invoke = Eval;
    return r;
  }();
  return &registration;
}

}  // namespace tflite::webnn
