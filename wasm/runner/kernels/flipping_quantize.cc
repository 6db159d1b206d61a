#include "runner/kernels/flipping_quantize.h"

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

constexpr int kSignBit = 0x80;

const TfLiteRegistration& Quantize() { return *ops::builtin::Register_QUANTIZE(); }

bool OnlyFlips(const TfLiteTensor& input, const TfLiteTensor& output) {
  const bool to_signed = input.type == kTfLiteUInt8 && output.type == kTfLiteInt8;
  const bool to_unsigned = input.type == kTfLiteInt8 && output.type == kTfLiteUInt8;
  if (!to_signed && !to_unsigned) return false;
  const int64_t shift = int64_t{output.params.zero_point} - input.params.zero_point;
  return input.params.scale == output.params.scale && shift == (to_signed ? -kSignBit : kSignBit);
}

void Flip(const uint8_t* input, size_t size, uint8_t* output) {
  const v128_t bits = wasm_u8x16_const_splat(kSignBit);
  size_t i = 0;
  for (; i + sizeof(v128_t) <= size; i += sizeof(v128_t))
    wasm_v128_store(output + i, wasm_v128_xor(wasm_v128_load(input + i), bits));
  for (; i < size; ++i) output[i] = input[i] ^ kSignBit;
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input;
  TfLiteTensor* output;
  TF_LITE_ENSURE_OK(context, GetInputSafe(context, node, 0, &input));
  TF_LITE_ENSURE_OK(context, GetOutputSafe(context, node, 0, &output));
  if (!OnlyFlips(*input, *output)) return Quantize().invoke(context, node);
  TF_LITE_ENSURE_EQ(context, input->bytes, output->bytes);
  Flip(input->data.uint8, input->bytes, output->data.uint8);
  return kTfLiteOk;
}

}  // namespace

const TfLiteRegistration* RegisterFlippingQuantize() {
  static const TfLiteRegistration registration = [] {
    TfLiteRegistration r = Quantize();
    r.invoke = Eval;
    return r;
  }();
  return &registration;
}

}  // namespace tflite::webnn
