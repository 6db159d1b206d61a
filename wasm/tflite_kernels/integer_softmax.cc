#include <wasm_simd128.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/common.h"
#include "tensorflow/lite/kernels/internal/types.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"
#include "tflite_kernels/integer_products.h"
#include "tflite_kernels/integer_scales.h"

namespace tflite::webnn {
namespace {

// Rows of int8 that are computed together: sums of floats in TFLite's order wait for each other.
constexpr int kRows = 4;
// How many 16-bit exponentials fit in a sum of 32 bits.
constexpr int kMaxDepth = 1 << 16;
// A difference of 1 that is shifted so far is below all that the table of exponentials has.
constexpr int kMaxShift = 17;

const TfLiteRegistration& Softmax() { return *ops::builtin::Register_SOFTMAX(); }

// What TFLite's Prepare() makes: its SoftmaxOpData begins with it.
const SoftmaxParams& ParamsOf(TfLiteNode* node) { return *static_cast<const SoftmaxParams*>(node->user_data); }

v128_t Max(v128_t a, v128_t b, int8_t) { return wasm_i8x16_max(a, b); }
v128_t Max(v128_t a, v128_t b, int16_t) { return wasm_i16x8_max(a, b); }

template <typename T>
__attribute__((noinline)) T Largest(const T* row, int depth) {
  T lanes[sizeof(v128_t) / sizeof(T)];
  std::fill(std::begin(lanes), std::end(lanes), row[0]);
  v128_t largest = wasm_v128_load(lanes);
  int i = 0;
  for (; i + static_cast<int>(std::size(lanes)) <= depth; i += std::size(lanes)) {
    largest = Max(largest, wasm_v128_load(row + i), T());
  }
  wasm_v128_store(lanes, largest);
  for (; i < depth; ++i) lanes[0] = std::max(lanes[0], row[i]);
  return *std::max_element(std::begin(lanes), std::end(lanes));
}

// round(exponentials * factor) + zero_point. They are not negative.
void Quantize(const float* exponentials, float factor, int32_t zero_point, int depth, int8_t* output) {
  for (int i = 0; i < depth; i += 4) {
    const v128_t x = wasm_f32x4_mul(wasm_v128_load(exponentials + i), wasm_f32x4_splat(factor));
    const v128_t truncated = wasm_i32x4_trunc_sat_f32x4(x);
    const v128_t fraction = wasm_f32x4_sub(x, wasm_f32x4_convert_i32x4(truncated));
    const v128_t rounded = wasm_i32x4_sub(truncated, wasm_f32x4_ge(fraction, wasm_f32x4_const_splat(0.5f)));
    StoreClamped(wasm_i32x4_add(rounded, wasm_i32x4_splat(zero_point)), INT8_MIN, INT8_MAX, depth - i, output + i);
  }
}

void ComputeBytes(const SoftmaxParams& params, const int8_t* input, int64_t rows, int depth, int8_t* output) {
  const int stride = (depth + 3) / 4 * 4;
  std::vector<float> exponentials(static_cast<size_t>(stride) * kRows);
  float* values = exponentials.data();
  for (int64_t first = 0; first < rows; first += kRows) {
    const int8_t* sources[kRows];
    const float* tables[kRows];
    float sums[kRows] = {};
    for (int i = 0; i < kRows; ++i) {
      sources[i] = input + std::min(first + i, rows - 1) * depth;
      tables[i] = params.table + UINT8_MAX - Largest(sources[i], depth);
    }
    for (int k = 0; k < depth; ++k) {
#pragma clang loop unroll(full)
      for (int i = 0; i < kRows; ++i) sums[i] += values[i * stride + k] = tables[i][sources[i][k]];
    }
    for (int i = 0; i < std::min<int64_t>(kRows, rows - first); ++i) {
      Quantize(values + i * stride, 1.0f / (sums[i] * params.scale), params.zero_point, depth,
               output + (first + i) * depth);
    }
  }
}

// The exponentials of 4 numbers from -32768 to 32767, which stand for -10 to 0.
v128_t Exponentials(const int16_t* table, v128_t x) {
  const v128_t index = wasm_i32x4_add(wasm_i32x4_shr(x, 7), wasm_i32x4_const_splat(256));
  v128_t pairs = wasm_v128_load32_zero(table + wasm_i32x4_extract_lane(index, 0));
  pairs = wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(index, 1), pairs, 1);
  pairs = wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(index, 2), pairs, 2);
  pairs = wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(index, 3), pairs, 3);
  // Neighbours of the table, times 128 - offset and offset.
  const v128_t offset = wasm_v128_and(x, wasm_i32x4_const_splat(127));
  const v128_t weights =
      wasm_i32x4_add(wasm_i32x4_sub(wasm_i32x4_shl(offset, 16), offset), wasm_i32x4_const_splat(128));
  return wasm_i32x4_shr(wasm_i32x4_add(wasm_i32x4_dot_i16x8(pairs, weights), wasm_i32x4_const_splat(64)), 7);
}

// Up to 4 numbers; the others are zero.
v128_t Load(const int16_t* source, int count) {
  return wasm_i32x4_extend_low_i16x8(LoadBytes(source, std::min(count, 4) * sizeof(int16_t)));
}

// Writes the exponentials of a row's differences to its largest number, and returns their sum. Differences below
// `lowest`, as a mask has, would overflow.
int32_t WriteExponentials(const Multiplier& scale, int32_t lowest, const int16_t* table, const int16_t* input,
                          int depth, int16_t* output) {
  const v128_t largest = wasm_i32x4_splat(Largest(input, depth));
  const v128_t low = wasm_i32x4_const_splat(INT16_MIN), high = wasm_i32x4_const_splat(INT16_MAX);
  v128_t sums = wasm_i32x4_const_splat(0);
  for (int i = 0; i < depth; i += 4) {
    const v128_t differences =
        wasm_i32x4_max(wasm_i32x4_sub(Load(input + i, depth - i), largest), wasm_i32x4_splat(lowest));
    const v128_t scaled = wasm_i32x4_add(scale(differences), high);
    const v128_t clamped = wasm_i32x4_min(wasm_i32x4_max(scaled, low), high);
    const v128_t is_inside = wasm_i32x4_lt(wasm_i32x4_const(0, 1, 2, 3), wasm_i32x4_splat(depth - i));
    const v128_t exponentials = wasm_v128_and(Exponentials(table, clamped), is_inside);
    sums = wasm_i32x4_add(sums, exponentials);
    StoreClamped(exponentials, 0, INT16_MAX, depth - i, output + i);
  }
  sums = wasm_i32x4_add(sums, wasm_i64x2_shuffle(sums, sums, 1, 0));
  return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1);
}

void ComputeWords(const SoftmaxParams& params, const int16_t* input, int64_t rows, int depth, int16_t* output) {
  const int shift = std::min(params.input_left_shift, kMaxShift);
  const Multiplier scale(params.input_multiplier, shift);
  const int32_t lowest = shift > 0 ? -((1 << kMaxShift) >> shift) - 1 : INT32_MIN;
  for (int64_t row = 0; row < rows; ++row, input += depth, output += depth) {
    const int32_t sum = WriteExponentials(scale, lowest, params.exp_lut, input, depth, output);
    // The sum is at least 1; its fraction, of 16 bits, is the index of its reciprocal.
    const int headroom = CountLeadingZeros(static_cast<uint32_t>(sum));
    const int32_t shifted = static_cast<int32_t>(((int64_t{sum} << (headroom - 1)) + (1 << 13)) >> 14);
    const int32_t index = std::clamp(shifted - (1 << 15) - (1 << 16), INT16_MIN, INT16_MAX);
    const v128_t reciprocal = wasm_i32x4_splat(LUTLookup(static_cast<int16_t>(index), params.one_over_one_plus_x_lut));
    const v128_t half = wasm_i32x4_splat(1 << (30 - headroom));
    for (int i = 0; i < depth; i += 4) {
      const v128_t product = wasm_i32x4_mul(Load(output + i, depth - i), reciprocal);
      StoreClamped(wasm_i32x4_shr(wasm_i32x4_add(product, half), 31 - headroom), 0, INT16_MAX, depth - i, output + i);
    }
  }
}

}  // namespace

// SOFTMAX of int8 and int16, which XNNPACK does not accept.
TfLiteStatus EvalIntegerSoftmax(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const SoftmaxParams& params = ParamsOf(node);
  const int depth = NumDimensions(input) == 0 ? 0 : SizeOfDimension(input, NumDimensions(input) - 1);
  const bool is_usual = input->type == output->type && depth > 0 && depth <= kMaxDepth && !IsDynamicTensor(output);
  const bool is_regular =
      Multiplier(params.input_multiplier, std::min(params.input_left_shift, kMaxShift)).is_regular();
  if (is_usual && input->type == kTfLiteInt8) {
    ComputeBytes(params, input->data.int8, NumElements(input) / depth, depth, output->data.int8);
  } else if (is_usual && input->type == kTfLiteInt16 && is_regular) {
    ComputeWords(params, input->data.i16, NumElements(input) / depth, depth, output->data.i16);
  } else {
    return Softmax().invoke(context, node);
  }
  return kTfLiteOk;
}

}  // namespace tflite::webnn
