#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"
#include "tflite_kernels/simd.h"

namespace tflite::webnn {
namespace {

constexpr int kSignBit = 0x80;

const TfLiteRegistration& Quantize() { return *ops::builtin::Register_QUANTIZE(); }
const TfLiteRegistration& Dequantize() { return *ops::builtin::Register_DEQUANTIZE(); }

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

// Whether floats and int16 have one scale, without a zero point.
bool IsFloatAndInt16(const TfLiteTensor& floats, const TfLiteTensor& integers) {
  if (floats.type != kTfLiteFloat32 || integers.type != kTfLiteInt16 || integers.params.zero_point != 0) return false;
  const auto* quantization = static_cast<const TfLiteAffineQuantization*>(integers.quantization.params);
  return integers.quantization.type == kTfLiteAffineQuantization && quantization->scale->size == 1;
}

// As native LiteRT: multiplies by the reciprocal and rounds half to even, but divides what remains of vectors.
void QuantizeWords(const float* input, int64_t size, float scale, int16_t* output) {
  const v128_t reciprocal = wasm_f32x4_splat(static_cast<float>(1.0f / static_cast<double>(scale)));
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (int half = 0; half < kLanes; half += 4) {
      const v128_t x = wasm_f32x4_mul(wasm_v128_load(input + i + half), reciprocal);
      StoreClamped(wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x)), INT16_MIN, INT16_MAX, 4, output + i + half);
    }
  }
  for (; i < size; ++i) {
    const double rounded = std::round(input[i] / static_cast<double>(scale));
    output[i] = static_cast<int16_t>(std::fmin(std::fmax(rounded, INT16_MIN), INT16_MAX));
  }
}

void DequantizeWords(const int16_t* input, int64_t size, float scale, float* output) {
  const v128_t factor = wasm_f32x4_splat(scale);
  int64_t i = 0;
  for (; i + 4 <= size; i += 4) {
    wasm_v128_store(output + i, wasm_f32x4_mul(wasm_f32x4_convert_i32x4(wasm_i32x4_load16x4(input + i)), factor));
  }
  for (; i < size; ++i) output[i] = scale * static_cast<float>(input[i]);
}

// TFLite's kernels read a scale for each channel that there is at run time, and an element before they look whether
// there is one.
TfLiteStatus CheckChannels(TfLiteContext* context, const TfLiteTensor& tensor) {
  const auto* quantization = static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
  if (tensor.quantization.type != kTfLiteAffineQuantization || quantization->scale == nullptr) return kTfLiteOk;
  if (quantization->scale->size <= 1) return kTfLiteOk;
  const int axis = quantization->quantized_dimension;
  TF_LITE_ENSURE(context, axis >= 0 && axis < NumDimensions(&tensor));
  TF_LITE_ENSURE_EQ(context, quantization->scale->size, SizeOfDimension(&tensor, axis));
  return kTfLiteOk;
}

}  // namespace

// QUANTIZE and DEQUANTIZE, as far as XNNPACK does not accept them:
// - between uint8 and int8 with equal scales and zero points that differ by 128, at the ends of int8 networks with
//   uint8 inputs, only the highest bits are flipped
// - between float32 and int16; to int16 with native LiteRT's bits, since TFLite's kernel rounds differently in wasm
TfLiteStatus EvalIntegerQuantize(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  TfLiteTensor* output = GetOutput(context, node, 0);
  if (NumElements(input) == 0) return kTfLiteOk;
  TF_LITE_ENSURE_OK(context, CheckChannels(context, *output));
  if (IsFloatAndInt16(*input, *output) && !IsDynamicTensor(output)) {
    QuantizeWords(input->data.f, NumElements(input), output->params.scale, output->data.i16);
    return kTfLiteOk;
  }
  if (!OnlyFlips(*input, *output)) return Quantize().invoke(context, node);
  TF_LITE_ENSURE_EQ(context, input->bytes, output->bytes);
  Flip(input->data.uint8, input->bytes, output->data.uint8);
  return kTfLiteOk;
}

TfLiteStatus EvalIntegerDequantize(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  TfLiteTensor* output = GetOutput(context, node, 0);
  if (NumElements(input) == 0) return kTfLiteOk;
  TF_LITE_ENSURE_OK(context, CheckChannels(context, *input));
  if (!IsFloatAndInt16(*output, *input) || IsDynamicTensor(output) || IsConstantTensor(input)) {
    return Dequantize().invoke(context, node);
  }
  DequantizeWords(input->data.i16, NumElements(input), input->params.scale, output->data.f);
  return kTfLiteOk;
}

}  // namespace tflite::webnn
