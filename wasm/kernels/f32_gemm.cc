// Float GEMM and IGEMM with fused multiply-add where there is relaxed SIMD. docs/kernels.md says why.
#include "kernels/f32_gemm.h"

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>

#include "kernels/floats.h"
#include "kernels/gemm_rows.h"

namespace tflite::webnn::kernels {
namespace {

// Keeps the loads of the next rows behind the products of these: else LLVM puts them all first, and V8 spills them.
inline void EndRow() { __asm__ volatile("" ::: "memory"); }

// Sums of kRows rows and 8 columns.
template <int kRows>
class Wide {
 public:
  static constexpr size_t kColumns = 8;

  explicit Wide(const float* biases) {
    for (auto& sum : sums_) {
      for (int i = 0; i < 2; ++i) sum[i] = wasm_v128_load(biases + 4 * i);
    }
  }

  // Adds the products of `depth` values of each row with the packed weights, in their order.
  const float* Multiply(const float* (&rows)[kRows], size_t depth, const float* packed) {
#pragma clang loop unroll(disable)
    do {
      const v128_t weights[] = {wasm_v128_load(packed), wasm_v128_load(packed + 4)};
      packed += kColumns;
#pragma clang loop unroll(full)
      for (int row = 0; row < kRows; ++row) {
        const v128_t value = wasm_v128_load32_splat(rows[row]++);
        for (int i = 0; i < 2; ++i) sums_[row][i] = MultiplyAdd(value, weights[i], sums_[row][i]);
        EndRow();
      }
    } while (--depth != 0);
    return packed;
  }

  void Store(int row, const Limits& limits, float* target, size_t columns) const {
    const v128_t low = limits.Clamp(sums_[row][0]);
    if (columns <= 4) return StoreFloats(low, target, columns);
    wasm_v128_store(target, low);
    StoreFloats(limits.Clamp(sums_[row][1]), target + 4, columns - 4);
  }

 private:
  v128_t sums_[kRows][2];
};

// Sums of kRows rows and 2 columns, two rows in a vector.
template <int kRows>
class Narrow {
 public:
  static constexpr size_t kColumns = 2;

  explicit Narrow(const float* biases) {
    for (v128_t& sum : sums_) sum = wasm_v128_load64_splat(biases);
  }

  const float* Multiply(const float* (&rows)[kRows], size_t depth, const float* packed) {
#pragma clang loop unroll(disable)
    for (; depth >= 4; depth -= 4) {
      v128_t weights[4];
      for (int k = 0; k < 4; ++k) weights[k] = wasm_v128_load64_splat(packed + kColumns * k);
      packed += 4 * kColumns;
#pragma clang loop unroll(full)
      for (int row = 0; row < kRows; row += 2) {
        const v128_t first = wasm_v128_load(rows[row]);
        const v128_t second = wasm_v128_load(rows[row + 1]);
        rows[row] += 4;
        rows[row + 1] += 4;
        v128_t& sum = sums_[row / 2];
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 0, 0, 4, 4), weights[0], sum);
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 1, 1, 5, 5), weights[1], sum);
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 2, 2, 6, 6), weights[2], sum);
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 3, 3, 7, 7), weights[3], sum);
        EndRow();
      }
    }
#pragma clang loop unroll(disable)
    for (; depth != 0; --depth) {
      const v128_t weights = wasm_v128_load64_splat(packed);
      packed += kColumns;
#pragma clang loop unroll(full)
      for (int row = 0; row < kRows; row += 2) {
        const v128_t first = wasm_v128_load32_zero(rows[row]++);
        const v128_t second = wasm_v128_load32_zero(rows[row + 1]++);
        v128_t& sum = sums_[row / 2];
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 0, 0, 4, 4), weights, sum);
      }
    }
    return packed;
  }

  void Store(int row, const Limits& limits, float* target, size_t columns) const {
    const v128_t sums = limits.Clamp(sums_[row / 2]);
    StoreFloats(row % 2 == 0 ? sums : wasm_i64x2_shuffle(sums, sums, 1, 1), target, columns);
  }

 private:
  v128_t sums_[kRows / 2];
};

// Computes `rows` x `columns` outputs. Each sum starts from its bias and adds a product at a time, in the order of k.
template <template <int> typename Tile, int kRows, typename Rows>
void ComputeTiles(const Rows& inputs, size_t taps, size_t depth, const float* packed,
                  const xnn_f32_minmax_params& params, size_t rows, size_t columns, float* target, size_t row_bytes,
                  size_t tile_bytes) {
  constexpr size_t kColumns = Tile<kRows>::kColumns;
  auto* place = reinterpret_cast<char*>(target);
  for (;;) {
    Tile<kRows> tile(packed);
    packed += kColumns;
    for (size_t tap = 0; tap < taps; ++tap) {
      const float* values[kRows];
#pragma clang loop unroll(full)
      for (size_t row = 0; row < kRows; ++row) values[row] = inputs.At(tap, row);
      packed = tile.Multiply(values, depth, packed);
    }
    const Limits limits(params);  // loaded for each tile: alive during the sums, they would take registers from these
#pragma clang loop unroll(full)
    for (size_t row = 0; row < kRows; ++row) {
      auto* target_row = reinterpret_cast<float*>(place + row * row_bytes);
      if (row < rows) tile.Store(row, limits, target_row, std::min(columns, kColumns));
    }
    if (columns <= kColumns) return;
    columns -= kColumns;
    place += tile_bytes;
  }
}

template <template <int> typename Tile, int kRows>
void Gemm(size_t mr, size_t nc, size_t kc, const float* a, size_t a_stride, const float* w, float* c, size_t cm_stride,
          size_t cn_stride, const xnn_f32_minmax_params* params) {
  const MatrixRows<float> inputs{a, a_stride / sizeof(float), mr};
  ComputeTiles<Tile, kRows>(inputs, 1, kc / sizeof(float), w, *params, mr, nc, c, cm_stride, cn_stride);
}

template <template <int> typename Tile, int kRows>
void Igemm(size_t mr, size_t nc, size_t kc, size_t ks, const float** a, const float* w, float* c, size_t cm_stride,
           size_t cn_stride, size_t a_offset, const float* zero, const xnn_f32_minmax_params* params) {
  const ConvolutionRows<kRows, float> inputs{a, a_offset / sizeof(float), zero, zero};
  ComputeTiles<Tile, kRows>(inputs, ks / (kRows * sizeof(void*)), kc / sizeof(float), w, *params, mr, nc, c, cm_stride,
                            cn_stride);
}

}  // namespace
}  // namespace tflite::webnn::kernels

using tflite::webnn::kernels::Gemm;
using tflite::webnn::kernels::Igemm;
using tflite::webnn::kernels::Narrow;
using tflite::webnn::kernels::Wide;

extern "C" {

#define TFLITE_WEBNN_F32_GEMM(Tile, rows, columns)                                                                  \
  void tflite_webnn_f32_gemm_minmax_ukernel_##rows##x##columns##__wasm(                                             \
      size_t mr, size_t nc, size_t kc, const float* a, size_t a_stride, const float* w, float* c, size_t cm_stride, \
      size_t cn_stride, const xnn_f32_minmax_params* params) {                                                      \
    Gemm<Tile, rows>(mr, nc, kc, a, a_stride, w, c, cm_stride, cn_stride, params);                                  \
  }                                                                                                                 \
  void tflite_webnn_f32_igemm_minmax_ukernel_##rows##x##columns##__wasm(                                            \
      size_t mr, size_t nc, size_t kc, size_t ks, const float** a, const float* w, float* c, size_t cm_stride,      \
      size_t cn_stride, size_t a_offset, const float* zero, const xnn_f32_minmax_params* params) {                  \
    Igemm<Tile, rows>(mr, nc, kc, ks, a, w, c, cm_stride, cn_stride, a_offset, zero, params);                       \
  }

TFLITE_WEBNN_F32_GEMM(Wide, 6, 8)
TFLITE_WEBNN_F32_GEMM(Narrow, 2, 2)
TFLITE_WEBNN_F32_GEMM(Narrow, 8, 2)

}  // extern "C"
