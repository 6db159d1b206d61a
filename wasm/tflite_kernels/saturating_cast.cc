#include <wasm_simd128.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "fp16.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// The nearest number of the type; its highest for NaN.
template <typename Integer, typename Float>
Integer Saturated(Float value) {
  constexpr auto kHighest = std::numeric_limits<Integer>::max();
  constexpr auto kLowest = std::numeric_limits<Integer>::min();
  // As a float, the highest number of a wide type is one more than it.
  if (!(value < static_cast<Float>(kHighest))) return kHighest;
  return value <= static_cast<Float>(kLowest) ? kLowest : static_cast<Integer>(value);
}

float FloatOf(float value) { return value; }
double FloatOf(double value) { return value; }
float FloatOf(TfLiteFloat16 value) { return fp16_ieee_to_fp32_value(value.data); }

template <typename Integer, typename Element>
bool CastAll(const TfLiteTensor& input, TfLiteTensor& output) {
  const auto* from = GetTensorData<Element>(&input);
  auto* to = GetTensorData<Integer>(&output);
  const int64_t count = NumElements(&input);
  int64_t i = 0;
  if constexpr (std::is_same_v<Integer, int32_t> && std::is_same_v<Element, float>) {
    const v128_t highest = wasm_i32x4_const_splat(std::numeric_limits<int32_t>::max());
    for (; i + 4 <= count; i += 4) {
      const v128_t x = wasm_v128_load(from + i);
      wasm_v128_store(to + i, wasm_v128_bitselect(wasm_i32x4_trunc_sat_f32x4(x), highest, wasm_f32x4_eq(x, x)));
    }
  }
  for (; i < count; ++i) to[i] = Saturated<Integer>(FloatOf(from[i]));
  return true;
}

// False for types that TFLite's kernel casts.
template <typename Element>
bool CastFloats(const TfLiteTensor& input, TfLiteTensor& output) {
  switch (output.type) {
    case kTfLiteInt8:
      return CastAll<int8_t, Element>(input, output);
    case kTfLiteUInt8:
      return CastAll<uint8_t, Element>(input, output);
    case kTfLiteInt16:
      return CastAll<int16_t, Element>(input, output);
    case kTfLiteUInt16:
      return CastAll<uint16_t, Element>(input, output);
    case kTfLiteInt32:
      return CastAll<int32_t, Element>(input, output);
    case kTfLiteUInt32:
      return CastAll<uint32_t, Element>(input, output);
    case kTfLiteInt64:
      return CastAll<int64_t, Element>(input, output);
    default:
      return false;
  }
}

bool CastToIntegers(const TfLiteTensor& input, TfLiteTensor& output) {
  switch (input.type) {
    case kTfLiteFloat16:
      return CastFloats<TfLiteFloat16>(input, output);
    case kTfLiteFloat32:
      return CastFloats<float>(input, output);
    case kTfLiteFloat64:
      return CastFloats<double>(input, output);
    default:
      return false;
  }
}

}  // namespace

// CAST of floats to integers: the nearest number of the type, and its highest for NaN, as newer native LiteRT computes.
// TFLite's kernel wraps around beyond int8, and C++ does not define what it does beyond int32.
TfLiteStatus EvalSaturatingCast(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& input = context->tensors[node->inputs->data[0]];
  TfLiteTensor& output = context->tensors[node->outputs->data[0]];
  const bool is_cast = NumElements(&input) == NumElements(&output) && CastToIntegers(input, output);
  return is_cast ? kTfLiteOk : ops::builtin::Register_CAST()->invoke(context, node);
}

}  // namespace tflite::webnn
