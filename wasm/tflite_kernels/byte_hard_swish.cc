#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

constexpr size_t kBytes = 256;

const TfLiteRegistration& HardSwish() { return *ops::builtin::Register_HARD_SWISH(); }

// Lets TFLite's kernel compute all bytes instead of the node's tensors.
TfLiteStatus FillTable(TfLiteContext* context, TfLiteNode* node, uint8_t (&table)[kBytes]) {
  TfLiteTensor& input = context->tensors[node->inputs->data[0]];
  TfLiteTensor& output = context->tensors[node->outputs->data[0]];
  const TfLiteTensor own_input = input, own_output = output;
  uint8_t bytes[kBytes];
  std::iota(bytes, bytes + kBytes, uint8_t{0});
  const std::unique_ptr<TfLiteIntArray, decltype(&TfLiteIntArrayFree)> shape(TfLiteIntArrayCreate(1),
                                                                             TfLiteIntArrayFree);
  shape->data[0] = kBytes;
  input.data.uint8 = bytes;
  output.data.uint8 = table;
  input.dims = output.dims = shape.get();
  input.bytes = output.bytes = kBytes;
  const TfLiteStatus status = HardSwish().invoke(context, node);
  input = own_input;
  output = own_output;
  return status;
}

}  // namespace

TfLiteStatus EvalByteHardSwish(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& input = context->tensors[node->inputs->data[0]];
  const TfLiteTensor& output = context->tensors[node->outputs->data[0]];
  const bool has_bytes = input.type == kTfLiteInt8 || input.type == kTfLiteUInt8;
  if (!has_bytes || input.bytes <= 2 * kBytes) return HardSwish().invoke(context, node);
  uint8_t table[kBytes];
  TF_LITE_ENSURE_STATUS(FillTable(context, node, table));
  for (size_t i = 0; i < input.bytes; ++i) output.data.uint8[i] = table[input.data.uint8[i]];
  return kTfLiteOk;
}

}  // namespace tflite::webnn
