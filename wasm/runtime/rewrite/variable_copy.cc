#include "runtime/rewrite/variable_copy.h"

#include <cstring>

#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& input = context->tensors[node->inputs->data[0]];
  TfLiteTensor& output = context->tensors[node->outputs->data[0]];
  if (input.type != output.type) {
    TF_LITE_KERNEL_LOG(context, "the variable '%s' would change its type from %s to %s", output.name,
                       TfLiteTypeGetName(output.type), TfLiteTypeGetName(input.type));
    return kTfLiteError;
  }
  if (output.dims->size != 0 && !TfLiteIntArrayEqual(input.dims, output.dims)) {
    TF_LITE_KERNEL_LOG(context, "the variable '%s' would change its shape", output.name);
    return kTfLiteError;
  }
  return context->ResizeTensor(context, &output, TfLiteIntArrayCopy(input.dims));
}

TfLiteStatus Copy(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& input = context->tensors[node->inputs->data[0]];
  // A value without elements has no memory.
  if (input.bytes > 0)
    std::memcpy(context->tensors[node->outputs->data[0]].data.raw, input.data.raw_const, input.bytes);
  return kTfLiteOk;
}

}  // namespace

void BecomeVariableCopy(TfLiteRegistration& registration) {
  registration.prepare = Prepare;
  registration.invoke = Copy;
}

}  // namespace tflite::webnn
