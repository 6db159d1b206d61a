#include <wasm_simd128.h>

#include <algorithm>
#include <cstdint>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/common.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

constexpr int kAxes = 1;
// How many axes fit in a mask.
constexpr int kMaxRank = 32;

const TfLiteRegistration& Mean() { return *ops::builtin::Register_MEAN(); }

// The rows that become one number each: `count` of `size` integers, which are neighbours.
struct Rows {
  int64_t count = 1;
  int64_t size = 1;
};

// An empty count if the reduced axes are not the last ones, or not there. Axes of one element may be anywhere.
Rows RowsOf(const TfLiteTensor& input, const TfLiteTensor& axes) {
  const int rank = input.dims->size;
  if (rank > kMaxRank) return {0, 0};
  uint32_t reduced = 0;
  for (int64_t i = 0; i < NumElements(&axes); ++i) {
    const int axis = axes.data.i32[i] < 0 ? axes.data.i32[i] + rank : axes.data.i32[i];
    if (axis < 0 || axis >= rank) return {0, 0};
    reduced |= uint32_t{1} << axis;
  }
  Rows rows;
  for (int axis = 0; axis < rank; ++axis) {
    const int size = input.dims->data[axis];
    if (reduced >> axis & 1) {
      rows.size *= size;
    } else if (size == 1 || rows.size == 1) {
      rows.count *= size;
    } else {
      return {0, 0};
    }
  }
  return rows;
}

bool HasSimdKernel(const TfLiteTensor& input, const TfLiteTensor& axes, const TfLiteTensor& output, const Rows& rows) {
  return input.type == kTfLiteInt16 && output.type == kTfLiteInt16 && axes.type == kTfLiteInt32 &&
         !IsDynamicTensor(&output) && rows.size > 0 && rows.count == NumElements(&output);
}

// Wraps as TFLite's 32 bits do.
int32_t Sum(const int16_t* values, int64_t count) {
  v128_t sums = wasm_i32x4_const_splat(0);
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    sums = wasm_i32x4_add(sums, wasm_i32x4_extadd_pairwise_i16x8(wasm_v128_load(values + i)));
  }
  uint32_t lanes[4];
  wasm_v128_store(lanes, sums);
  uint32_t sum = lanes[0] + lanes[1] + lanes[2] + lanes[3];
  for (; i < count; ++i) sum += static_cast<uint32_t>(values[i]);
  return static_cast<int32_t>(sum);
}

}  // namespace

// MEAN of int16 over the last axes, for which TFLite has a reference kernel only.
TfLiteStatus EvalIntegerMean(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* axes = GetInput(context, node, kAxes);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const Rows rows = RowsOf(*input, *axes);
  if (!HasSimdKernel(*input, *axes, *output, rows)) return Mean().invoke(context, node);
  int32_t multiplier;
  int exponent;
  QuantizeMultiplier(static_cast<double>(input->params.scale) / static_cast<double>(output->params.scale), &multiplier,
                     &exponent);
  // As QuantizedMeanOrSum() divides: rounds only once, and stays in MultiplyByQuantizedMultiplier()'s range.
  const int shift = std::min(63 - CountLeadingZeros(static_cast<uint64_t>(rows.size)), 31 + exponent);
  if (shift < 0) return Mean().invoke(context, node);
  multiplier = static_cast<int32_t>((int64_t{multiplier} << shift) / rows.size);
  const int16_t* values = GetTensorData<int16_t>(input);
  int16_t* results = GetTensorData<int16_t>(output);
  for (int64_t i = 0; i < rows.count; ++i, values += rows.size) {
    const int32_t result = MultiplyByQuantizedMultiplier(Sum(values, rows.size), multiplier, exponent - shift);
    results[i] = static_cast<int16_t>(std::clamp<int32_t>(result, INT16_MIN, INT16_MAX));
  }
  return kTfLiteOk;
}

}  // namespace tflite::webnn
