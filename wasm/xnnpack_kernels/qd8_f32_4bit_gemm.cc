// Rows quantized at run time, 4-bit weights with a scale per column or per block of a column, float outputs.
//
// Weights are packed as XNNPACK packs them for nr 8, kr 2, sr 1: for 4 consecutive k 16 bytes, two for each column. Low
// halves are weights of the first two k, high halves of the others. A weight in the upper half of a byte is 16 times
// its value, and remains so.
#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "xnnpack_kernels/dot16x2_gemm.h"
#include "xnnpack_kernels/dot16x2_tile.h"
#include "xnnpack_kernels/qd8_output.h"
#include "xnnpack_kernels/requantization.h"

namespace tflite::webnn::kernels {
namespace {

// Adds the products of `quads` times 4 consecutive k, and returns the weights after them.
template <int kRows>
inline const uint8_t* MultiplyHalves(const int16_t* values, size_t quads, v128_t upper_half, const uint8_t* packed,
                                     Accumulators<kRows>& sums) {
#pragma clang loop unroll(disable)
  do {
    const v128_t bytes = wasm_v128_load(packed);
    const v128_t first = wasm_v128_and(wasm_i16x8_shl(bytes, 4), upper_half);
    const v128_t second = wasm_v128_and(bytes, upper_half);
    const v128_t weights[2][2] = {{wasm_i16x8_extend_low_i8x16(first), wasm_i16x8_extend_high_i8x16(first)},
                                  {wasm_i16x8_extend_low_i8x16(second), wasm_i16x8_extend_high_i8x16(second)}};
#pragma clang loop unroll(full)
    for (int row = 0; row < kRows; ++row) {
      const v128_t first_pair = wasm_v128_load32_splat(values + row * kPanelStride);
      const v128_t second_pair = wasm_v128_load32_splat(values + row * kPanelStride + 2);
      sums[row][0] = wasm_i32x4_add(sums[row][0], wasm_i32x4_dot_i16x8(first_pair, weights[0][0]));
      sums[row][1] = wasm_i32x4_add(sums[row][1], wasm_i32x4_dot_i16x8(first_pair, weights[0][1]));
      sums[row][0] = wasm_i32x4_add(sums[row][0], wasm_i32x4_dot_i16x8(second_pair, weights[1][0]));
      sums[row][1] = wasm_i32x4_add(sums[row][1], wasm_i32x4_dot_i16x8(second_pair, weights[1][1]));
    }
    packed += 16;
    values += 4;
  } while (--quads != 0);
  return packed;
}

// A column is one block. The packed int32 are minus 16 times the sums of the columns' weights.
class ColumnOutput : public Qd8Output {
 public:
  static constexpr size_t kTailBytes = 2 * kColumns * sizeof(float);

  ColumnOutput(const xnn_f32_qc4w_minmax_params& limits, const xnn_qd8_quantization_params* quantization,
               size_t row_count, size_t depth)
      : Qd8Output(limits.scalar.min, limits.scalar.max, quantization, row_count), block_depth(depth) {}

  void Start(const uint8_t* packed, size_t row, v128_t (&sums)[2], v128_t (&)[2]) const {
    const v128_t zero_point = wasm_i32x4_splat(ZeroPoint(row));
    sums[0] = wasm_i32x4_mul(wasm_v128_load(packed), zero_point);
    sums[1] = wasm_i32x4_mul(wasm_v128_load(packed + 16), zero_point);
  }

  static constexpr size_t kBlockTailBytes = 0;
  void EndBlock(const uint8_t*, v128_t (&sums)[2], v128_t (&values)[2]) const {
    values[0] = wasm_f32x4_convert_i32x4(wasm_i32x4_shr(sums[0], 4));
    values[1] = wasm_f32x4_convert_i32x4(wasm_i32x4_shr(sums[1], 4));
  }

  void Store(const v128_t (&values)[2], size_t row, const uint8_t* tail, float* target, size_t columns) const {
    StoreLimited(Scaled(values[0], row, tail), Scaled(values[1], row, tail + 16), target, columns);
  }

  const size_t block_depth;

 private:
  // The order of XNNPACK's kernels, for their bits; in BlockOutput, too.
  v128_t Scaled(v128_t values, size_t row, const uint8_t* tail) const {
    values = wasm_f32x4_mul(wasm_f32x4_mul(values, Scale(row)), wasm_v128_load(tail));
    return wasm_f32x4_add(values, wasm_v128_load(tail + kColumns * sizeof(float)));
  }
};

// The packed floats are minus the sums of the columns' weights. After each block are 1/16 of its scales, as bfloat16.
class BlockOutput : public Qd8Output {
 public:
  static constexpr size_t kTailBytes = kColumns * sizeof(float);

  BlockOutput(const xnn_f32_qb4w_minmax_params& limits, const xnn_qd8_quantization_params* quantization,
              size_t row_count, size_t)
      : Qd8Output(limits.scalar.min, limits.scalar.max, quantization, row_count),
        block_depth(limits.scalar.blocksize) {}

  void Start(const uint8_t* packed, size_t row, v128_t (&sums)[2], v128_t (&values)[2]) const {
    const v128_t zero_point = wasm_f32x4_splat(static_cast<float>(ZeroPoint(row)));
    values[0] = wasm_f32x4_mul(wasm_v128_load(packed), zero_point);
    values[1] = wasm_f32x4_mul(wasm_v128_load(packed + 16), zero_point);
    sums[0] = sums[1] = wasm_i32x4_const_splat(0);
  }

  static constexpr size_t kBlockTailBytes = kColumns * sizeof(uint16_t);
  void EndBlock(const uint8_t* tail, v128_t (&sums)[2], v128_t (&values)[2]) const {
#pragma clang loop unroll(full)
    for (size_t half = 0; half < 2; ++half) {
      const v128_t scales = wasm_i32x4_shl(wasm_u32x4_load16x4(tail + 8 * half), 16);
      values[half] = wasm_f32x4_add(values[half], wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[half]), scales));
      sums[half] = wasm_i32x4_const_splat(0);
    }
  }

  void Store(const v128_t (&values)[2], size_t row, const uint8_t* tail, float* target, size_t columns) const {
    StoreLimited(wasm_f32x4_add(wasm_f32x4_mul(values[0], Scale(row)), wasm_v128_load(tail)),
                 wasm_f32x4_add(wasm_f32x4_mul(values[1], Scale(row)), wasm_v128_load(tail + 16)), target, columns);
  }

  const size_t block_depth;
};

// The arguments of XNNPACK's GEMM microkernels, in their order.
template <int kRows, typename Output>
inline void Gemm4(size_t mr, size_t nc, size_t kc, const int8_t* a, size_t a_stride, const void* w, float* c,
                  size_t cm_stride, size_t cn_stride, const Output& output) {
  alignas(16) int16_t panel[kRows * kPanelStride];
  Widener<kRows, int8_t, MatrixRows<int8_t>> widener({a, a_stride, mr}, 1, kc);
  const v128_t upper_half = SplatFromMemory(0xF0F0F0F0);
  const size_t pairs = (kc + 1) / 2;
  size_t filled = 0;
  size_t used = 0;
  const auto* packed = static_cast<const uint8_t*>(w);
  auto* tile = reinterpret_cast<char*>(c);
  for (;;) {
    Accumulators<kRows> sums;
    Accumulators<kRows> values;
#pragma clang loop unroll(full)
    for (size_t row = 0; row < kRows; ++row) output.Start(packed, row, sums[row], values[row]);
    packed += kColumns * sizeof(int32_t);
    for (size_t block = 0; block < kc; block += output.block_depth) {
      size_t left = (std::min(output.block_depth, kc - block) + 1) / 2;
      while (left != 0) {
        if (used == filled) {
          if (filled != pairs) filled = widener.Next(panel);  // rows that fit as one are widened once
          used = 0;
        }
        const size_t count = std::min(left, filled - used);
        packed = MultiplyHalves<kRows>(panel + 2 * used, (count + 1) / 2, upper_half, packed, sums);
        used += count;
        left -= count;
      }
#pragma clang loop unroll(full)
      for (size_t row = 0; row < kRows; ++row) output.EndBlock(packed, sums[row], values[row]);
      packed += Output::kBlockTailBytes;
    }
#pragma clang loop unroll(full)
    for (size_t row = 0; row < kRows; ++row) {
      auto* destination = reinterpret_cast<float*>(tile + row * cm_stride);
      if (row < mr) output.Store(values[row], row, packed, destination, std::min(nc, kColumns));
    }
    if (nc <= kColumns) return;
    packed += Output::kTailBytes;
    nc -= kColumns;
    tile += cn_stride;
  }
}

}  // namespace
}  // namespace tflite::webnn::kernels

using tflite::webnn::kernels::BlockOutput;
using tflite::webnn::kernels::ColumnOutput;
using tflite::webnn::kernels::Gemm4;

extern "C" {

#define TFLITE_WEBNN_4BIT_GEMM(kind, rows, Output)                                                                  \
  void tflite_webnn_qd8_f32_##kind##_gemm_minmax_ukernel_##rows##x8c2__wasmsimd_dot16x2(                            \
      size_t mr, size_t nc, size_t kc, const int8_t* a, size_t a_stride, const void* w, float* c, size_t cm_stride, \
      size_t cn_stride, const xnn_f32_##kind##_minmax_params* params,                                               \
      const xnn_qd8_quantization_params* quantization) {                                                            \
    Gemm4<rows>(mr, nc, kc, a, a_stride, w, c, cm_stride, cn_stride, Output(*params, quantization, mr, kc));        \
  }

TFLITE_WEBNN_4BIT_GEMM(qc4w, 1, ColumnOutput)
TFLITE_WEBNN_4BIT_GEMM(qc4w, 4, ColumnOutput)
TFLITE_WEBNN_4BIT_GEMM(qb4w, 1, BlockOutput)
TFLITE_WEBNN_4BIT_GEMM(qb4w, 4, BlockOutput)

}  // extern "C"
