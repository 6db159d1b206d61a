#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_DOT16X2_TILE_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_DOT16X2_TILE_H_

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "xnnpack_kernels/gemm_rows.h"

// 8-bit matrix multiplication with i32x4.dot_i16x8, exact on every engine. docs/explanation/kernels.md says why it is
// fast.
//
// A tile is up to kRows x 8 outputs. Weights are packed as XNNPACK packs them for nr 8, kr 2, sr 1: per 8 columns, 8
// int32 to start with, then for each pair of consecutive k the 8 columns' two weights, then what the output needs.
namespace tflite::webnn::kernels {

inline constexpr size_t kColumns = 8;
// What a tile whose weights lie elsewhere has for their address, after what the output needs.
inline constexpr size_t kAddressBytes = 32;
// Elements of each row that are widened at a time: 4 rows take 36 KB of the stack. A 3 x 3 filter has 512 channels.
inline constexpr size_t kPanelDepth = 4608;
// Rows of a power of two would share cache sets.
inline constexpr size_t kPanelStride = kPanelDepth + 32;

inline v128_t Widen8(const int8_t* source) { return wasm_i16x8_load8x8(source); }
inline v128_t Widen8(const uint8_t* source) { return wasm_u16x8_load8x8(source); }
inline v128_t WidenLow(v128_t source, int8_t) { return wasm_i16x8_extend_low_i8x16(source); }
inline v128_t WidenLow(v128_t source, uint8_t) { return wasm_u16x8_extend_low_u8x16(source); }

template <int kRows, typename Element>
inline void Widen8Columns(const Element* const (&rows)[kRows], size_t first, int16_t* panel) {
#pragma clang loop unroll(full)
  for (int row = 0; row < kRows; ++row) {
    wasm_v128_store(panel + row * kPanelStride + first, Widen8(rows[row] + first));
  }
}

template <int kRows, typename Element>
inline void Widen4Columns(const Element* const (&rows)[kRows], size_t first, int16_t* panel) {
#pragma clang loop unroll(full)
  for (int row = 0; row < kRows; ++row) {
    const v128_t widened = WidenLow(wasm_v128_load32_zero(rows[row] + first), Element());
    wasm_v128_store64_lane(panel + row * kPanelStride + first, widened, 0);
  }
}

// Makes `count` elements of each row int16, and reads no others. The rows go together: short ones cost least so.
template <int kRows, typename Element>
inline void WidenRows(const Element* const (&rows)[kRows], size_t count, int16_t* panel) {
  if (count >= 8) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) Widen8Columns<kRows>(rows, i, panel);
    if (i != count) Widen8Columns<kRows>(rows, count - 8, panel);
  } else if (count >= 4) {
    Widen4Columns<kRows>(rows, 0, panel);
    Widen4Columns<kRows>(rows, count - 4, panel);
  } else {
    for (size_t i = 0; i < count; ++i) {
      for (int row = 0; row < kRows; ++row) panel[row * kPanelStride + i] = rows[row][i];
    }
  }
}

// Widens rows part by part. Each tap starts at an even position, as its packed weights do.
template <int kRows, typename Element, typename Rows>
class Widener {
 public:
  Widener(const Rows& rows, size_t taps, size_t depth) : rows_(rows), taps_(taps), depth_(depth) {}

  // Fills the panel with the next part, after the last one the first, and returns its number of pairs. An odd tap's
  // last position keeps what it had: its weights are zero.
  size_t Next(int16_t* panel) {
    size_t filled = 0;
    if (tap_ == taps_) tap_ = 0;
    while (tap_ != taps_ && filled != kPanelDepth) {
      const size_t count = std::min(depth_ - k_, kPanelDepth - filled);
      const Element* sources[kRows];
      for (size_t row = 0; row < kRows; ++row) sources[row] = rows_.At(tap_, row) + k_;
      WidenRows<kRows>(sources, count, panel + filled);
      filled += (count + 1) / 2 * 2;
      k_ += count;
      if (k_ == depth_) {
        k_ = 0;
        ++tap_;
      }
    }
    return filled / 2;
  }

 private:
  const Rows rows_;
  const size_t taps_;
  const size_t depth_;
  size_t tap_ = 0;
  size_t k_ = 0;
};

template <int kRows>
using Accumulators = v128_t[kRows][2];

// The sums of outputs whose packed int32 are biases.
template <int kRows>
inline void StartFromBias(const uint8_t* biases, Accumulators<kRows>& sums) {
  for (auto& sum : sums) {
    sum[0] = wasm_v128_load(biases);
    sum[1] = wasm_v128_load(biases + 16);
  }
}

// Adds the products of `pairs` pairs of k, and returns the weights after them. One pair an iteration: unrolled, the
// accumulators spill.
template <int kRows, typename Weights>
inline const uint8_t* Multiply(const int16_t* values, size_t pairs, const Weights& weights, const uint8_t* packed,
                               Accumulators<kRows>& sums) {
#pragma clang loop unroll(disable)
  do {
    const v128_t low = weights.Widen(packed);
    const v128_t high = weights.Widen(packed + 8);
#pragma clang loop unroll(full)
    for (int row = 0; row < kRows; ++row) {
      const v128_t pair = wasm_v128_load32_splat(values + row * kPanelStride);
      sums[row][0] = wasm_i32x4_add(sums[row][0], wasm_i32x4_dot_i16x8(pair, low));
      sums[row][1] = wasm_i32x4_add(sums[row][1], wasm_i32x4_dot_i16x8(pair, high));
    }
    packed += 16;
    values += 2;
  } while (--pairs != 0);
  return packed;
}

// Computes `rows` x `columns` outputs. With kInPlace the weights lie elsewhere.
//
// Output has: Value, an element; kTailBytes of the packed weights; Start(packed, sums), which fills the sums from 8
// int32; Widen(packed), which makes 8 weights int16; Store(sums, row, tail, target, columns).
template <int kRows, typename Element, bool kInPlace = false, typename Rows, typename Output>
inline void ComputeTiles(const Rows& inputs, size_t taps, size_t depth, const void* weights, const Output& output,
                         size_t rows, size_t columns, typename Output::Value* target, size_t row_bytes,
                         size_t tile_bytes) {
  alignas(16) int16_t panel[kRows * kPanelStride];
  Widener<kRows, Element, Rows> widener(inputs, taps, depth);
  const size_t pairs = taps * ((depth + 1) / 2);
  size_t filled = 0;
  const auto* packed = static_cast<const uint8_t*>(weights);
  auto* tile = reinterpret_cast<char*>(target);
  const uint8_t* next = nullptr;
  // Weights of the tiles follow each other: an address that each tile must wait for took 1.08 of the time.
  if constexpr (kInPlace) memcpy(&next, packed + kColumns * sizeof(int32_t) + Output::kTailBytes, sizeof(next));
  for (;;) {
    Accumulators<kRows> sums;
    output.Start(packed, sums);
    packed += kColumns * sizeof(int32_t);
    if constexpr (!kInPlace) next = packed;
    for (size_t left = pairs; left != 0; left -= filled) {
      if (filled != pairs) filled = widener.Next(panel);  // rows that fit as one are widened once
      next = Multiply<kRows>(panel, filled, output, next, sums);
    }
    if constexpr (!kInPlace) packed = next;
    // Constant rows: indexed by a variable, the sums would be in memory.
#pragma clang loop unroll(full)
    for (size_t row = 0; row < kRows; ++row) {
      auto* destination = reinterpret_cast<typename Output::Value*>(tile + row * row_bytes);
      if (row < rows) output.Store(sums[row], row, packed, destination, std::min(columns, kColumns));
    }
    if (columns <= kColumns) return;
    packed += Output::kTailBytes + (kInPlace ? kAddressBytes : 0);
    columns -= kColumns;
    tile += tile_bytes;
  }
}

// The arguments of XNNPACK's GEMM microkernels, in their order; Output is created from its parameters.
template <int kRows, bool kInPlace = false, typename Element, typename Output>
inline void Gemm(size_t mr, size_t nc, size_t kc, const Element* a, size_t a_stride, const void* w,
                 typename Output::Value* c, size_t cm_stride, size_t cn_stride, const Output& output) {
  const MatrixRows<Element> inputs{a, a_stride, mr};
  ComputeTiles<kRows, Element, kInPlace>(inputs, 1, kc, w, output, mr, nc, c, cm_stride, cn_stride);
}

// As Gemm, for a convolution. `padding` is what the pointer `zero` stands for.
template <int kRows, typename Element, typename Output>
inline void Igemm(size_t mr, size_t nc, size_t kc, size_t ks, const Element** a, const void* w,
                  typename Output::Value* c, size_t cm_stride, size_t cn_stride, size_t a_offset, const Element* zero,
                  const Element* padding, const Output& output) {
  const ConvolutionRows<kRows, Element> inputs{a, a_offset, zero, padding};
  ComputeTiles<kRows, Element>(inputs, ks / (kRows * sizeof(void*)), kc, w, output, mr, nc, c, cm_stride, cn_stride);
}

}  // namespace tflite::webnn::kernels

// XNNPACK's pair of microkernels of 8-bit inputs and outputs.
#define TFLITE_WEBNN_DEFINE_GEMM(kind, rows, Element, Parameters, Output)                                              \
  void tflite_webnn_##kind##_gemm_minmax_fp32_ukernel_##rows##x8c2__wasmsimd_dot16x2(                                  \
      size_t mr, size_t nc, size_t kc, const Element* a, size_t a_stride, const void* w, Element* c, size_t cm_stride, \
      size_t cn_stride, const Parameters* params) {                                                                    \
    Gemm<rows>(mr, nc, kc, a, a_stride, w, c, cm_stride, cn_stride, Output(*params));                                  \
  }                                                                                                                    \
  void tflite_webnn_##kind##_igemm_minmax_fp32_ukernel_##rows##x8c2__wasmsimd_dot16x2(                                 \
      size_t mr, size_t nc, size_t kc, size_t ks, const Element** a, const void* w, Element* c, size_t cm_stride,      \
      size_t cn_stride, size_t a_offset, const Element* zero, const Parameters* params) {                              \
    Igemm<rows>(mr, nc, kc, ks, a, w, c, cm_stride, cn_stride, a_offset, zero, zero, Output(*params));                 \
  }

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_DOT16X2_TILE_H_
