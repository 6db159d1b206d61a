// Float GEMM and IGEMM with fused multiply-add where there is relaxed SIMD. docs/explanation/kernels.md says why.
#include "xnnpack_kernels/f32_gemm.h"

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "xnnpack_kernels/floats.h"
#include "xnnpack_kernels/gemm_rows.h"

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
  const float* Multiply(const float* const (&rows)[kRows], size_t depth, const float* packed) {
    size_t k = 0;  // one index: V8 spills sums where each row has a pointer that moves
#pragma clang loop unroll(disable)
    do {
      const v128_t weights[] = {wasm_v128_load(packed), wasm_v128_load(packed + 4)};
      packed += kColumns;
#pragma clang loop unroll(full)
      for (int row = 0; row < kRows; ++row) {
        const v128_t value = wasm_v128_load32_splat(rows[row] + k);
        for (int i = 0; i < 2; ++i) sums_[row][i] = MultiplyAdd(value, weights[i], sums_[row][i]);
        EndRow();
      }
    } while (++k != depth);
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

  const float* Multiply(const float* const (&rows)[kRows], size_t depth, const float* packed) {
    size_t k = 0;
#pragma clang loop unroll(disable)
    for (; k + 4 <= depth; k += 4) {
      v128_t weights[4];
      for (int i = 0; i < 4; ++i) weights[i] = wasm_v128_load64_splat(packed + kColumns * i);
      packed += 4 * kColumns;
#pragma clang loop unroll(full)
      for (int row = 0; row < kRows; row += 2) {
        const v128_t first = wasm_v128_load(rows[row] + k);
        const v128_t second = wasm_v128_load(rows[row + 1] + k);
        v128_t& sum = sums_[row / 2];
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 0, 0, 4, 4), weights[0], sum);
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 1, 1, 5, 5), weights[1], sum);
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 2, 2, 6, 6), weights[2], sum);
        sum = MultiplyAdd(wasm_i32x4_shuffle(first, second, 3, 3, 7, 7), weights[3], sum);
        EndRow();
      }
    }
#pragma clang loop unroll(disable)
    for (; k < depth; ++k) {
      const v128_t weights = wasm_v128_load64_splat(packed);
      packed += kColumns;
#pragma clang loop unroll(full)
      for (int row = 0; row < kRows; row += 2) {
        const v128_t first = wasm_v128_load32_zero(rows[row] + k);
        const v128_t second = wasm_v128_load32_zero(rows[row + 1] + k);
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

// Sums of kRows rows and the first of 2 columns, four rows in a vector.
template <int kRows>
class Single {
 public:
  static constexpr size_t kColumns = 2;

  explicit Single(const float* biases) {
    for (v128_t& sum : sums_) sum = wasm_v128_load32_splat(biases);
  }

  const float* Multiply(const float* const (&rows)[kRows], size_t depth, const float* packed) {
    size_t k = 0;
#pragma clang loop unroll(disable)
    for (; k + 4 <= depth; k += 4) {
#pragma clang loop unroll(full)
      for (int row = 0; row < kRows; row += 4) {
        v128_t low[2];  // the first two values of two rows, then of two more
        v128_t high[2];
        for (int i = 0; i < 2; ++i) {
          const v128_t first = wasm_v128_load(rows[row + 2 * i] + k);
          const v128_t second = wasm_v128_load(rows[row + 2 * i + 1] + k);
          low[i] = wasm_i32x4_shuffle(first, second, 0, 4, 1, 5);
          high[i] = wasm_i32x4_shuffle(first, second, 2, 6, 3, 7);
        }
        const auto add = [&](v128_t values, int i) {
          sums_[row / 4] = MultiplyAdd(values, wasm_v128_load32_splat(packed + kColumns * i), sums_[row / 4]);
        };
        add(wasm_i64x2_shuffle(low[0], low[1], 0, 2), 0);
        add(wasm_i64x2_shuffle(low[0], low[1], 1, 3), 1);
        add(wasm_i64x2_shuffle(high[0], high[1], 0, 2), 2);
        add(wasm_i64x2_shuffle(high[0], high[1], 1, 3), 3);
        EndRow();
      }
      packed += 4 * kColumns;
    }
#pragma clang loop unroll(disable)
    for (; k < depth; ++k) {
      const v128_t weight = wasm_v128_load32_splat(packed);
      packed += kColumns;
#pragma clang loop unroll(full)
      for (int row = 0; row < kRows; row += 4) {
        v128_t values = wasm_v128_load32_zero(rows[row] + k);
        values = wasm_v128_load32_lane(rows[row + 1] + k, values, 1);
        values = wasm_v128_load32_lane(rows[row + 2] + k, values, 2);
        values = wasm_v128_load32_lane(rows[row + 3] + k, values, 3);
        sums_[row / 4] = MultiplyAdd(values, weight, sums_[row / 4]);
      }
    }
    return packed;
  }

  void Store(int row, const Limits& limits, float* target, size_t) const {
    const v128_t sums = limits.Clamp(sums_[row / 4]);
    const float values[] = {wasm_f32x4_extract_lane(sums, 0), wasm_f32x4_extract_lane(sums, 1),
                            wasm_f32x4_extract_lane(sums, 2), wasm_f32x4_extract_lane(sums, 3)};
    *target = values[row % 4];
  }

 private:
  v128_t sums_[kRows / 4];
};

// Computes `rows` x `columns` outputs. Each sum starts from its bias and adds a product at a time, in the order of k.
template <template <int> typename Tile, int kRows, typename Rows>
void ComputeTiles(const Rows& inputs, size_t taps, size_t depth, const float* packed,
                  const xnn_f32_minmax_params& params, size_t rows, size_t columns, float* target, size_t row_bytes,
                  size_t tile_bytes) {
  if constexpr (kRows % 4 == 0 && std::is_same_v<Tile<kRows>, Narrow<kRows>>) {
    if (columns == 1) {
      return ComputeTiles<Single, kRows>(inputs, taps, depth, packed, params, rows, columns, target, row_bytes,
                                         tile_bytes);
    }
  }
  constexpr size_t kColumns = Tile<kRows>::kColumns;
  auto* destination = reinterpret_cast<char*>(target);
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
      auto* target_row = reinterpret_cast<float*>(destination + row * row_bytes);
      if (row < rows) tile.Store(row, limits, target_row, std::min(columns, kColumns));
    }
    if (columns <= kColumns) return;
    columns -= kColumns;
    destination += tile_bytes;
  }
}

// Computes up to 8 * kTiles outputs of a row.
template <int kTiles>
void ComputeRow(const float* row, size_t depth, const float* packed, const Limits& limits, size_t columns,
                float* target) {
  const size_t tile_size = 8 * (1 + depth);
  v128_t sums[kTiles][2];
  const auto weights = [&](int tile, int i) { return wasm_v128_load(packed + tile * tile_size + 4 * i); };
  for (int tile = 0; tile < kTiles; ++tile) {
    for (int i = 0; i < 2; ++i) sums[tile][i] = weights(tile, i);
  }
#pragma clang loop unroll(disable)
  for (size_t k = 0; k < depth; ++k) {
    packed += 8;
    const v128_t value = wasm_v128_load32_splat(row + k);
    for (int tile = 0; tile < kTiles; ++tile) {
      for (int i = 0; i < 2; ++i) sums[tile][i] = MultiplyAdd(value, weights(tile, i), sums[tile][i]);
    }
  }
  for (int i = 0; i < 2 * kTiles && columns > static_cast<size_t>(4 * i); ++i) {
    StoreFloats(limits.Clamp(sums[i / 2][i % 2]), target + 4 * i, columns - 4 * i);
  }
}

// A sum waits for the one before it: four tiles at a time keep the processor busy meanwhile. Weights beyond the
// cache are read in their order.
void MultiplyRow(size_t columns, size_t depth, const float* row, const float* packed, float* target,
                 const xnn_f32_minmax_params& params) {
  constexpr size_t kCachedWeights = size_t{1} << 18;  // 1 MB
  const Limits limits(params);
  const auto compute = [&](auto kernel, size_t size, size_t min_columns) {
    for (; columns > min_columns; columns -= std::min(columns, size)) {
      kernel(row, depth, packed, limits, columns, target);
      packed += size * (1 + depth);
      target += size;
    }
  };
  if (columns * depth <= kCachedWeights) {
    compute(ComputeRow<4>, 32, 24);
    compute(ComputeRow<2>, 16, 8);
  }
  compute(ComputeRow<1>, 8, 0);
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

void tflite_webnn_f32_gemm_minmax_ukernel_1x8__wasm(size_t mr, size_t nc, size_t kc, const float* a, size_t a_stride,
                                                    const float* w, float* c, size_t cm_stride, size_t cn_stride,
                                                    const xnn_f32_minmax_params* params) {
  tflite::webnn::kernels::MultiplyRow(nc, kc / sizeof(float), a, w, c, *params);
}

}  // extern "C"
