#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_PRODUCTS_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_PRODUCTS_H_

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Products of integer matrices, of which TFLite has SIMD kernels on ARM and x86 only.
namespace tflite::webnn {

// Rows of 16-bit integers, padded with zeros to whole vectors, and to whole blocks of rows.
class IntegerRows {
 public:
  static constexpr int kLanes = 8;
  static constexpr int kBlock = 4;

  IntegerRows(int count, int depth)
      : count_(count),
        stride_((depth + kLanes - 1) / kLanes * kLanes),
        values_(static_cast<size_t>((count + kBlock - 1) / kBlock * kBlock) * stride_, 0) {}

  // Takes rows whose elements are `element_step` apart, less a zero point. Wraps around where a file's is out of range.
  template <typename T>
  void Fill(const T* data, int depth, size_t row_step, size_t element_step, int32_t zero_point) {
    for (int row = 0; row < count_; ++row) {
      int16_t* values = &values_[static_cast<size_t>(row) * stride_];
      const T* source = data + row * row_step;
      for (int i = 0; i < depth; ++i) {
        const uint32_t value = static_cast<int32_t>(source[i * element_step]);
        values[i] = static_cast<int16_t>(value - static_cast<uint32_t>(zero_point));
      }
    }
  }

  // Two products of the lowest number do not fit in 32 bits.
  bool HasLowest() const { return std::find(values_.begin(), values_.end(), INT16_MIN) != values_.end(); }

  int count() const { return count_; }
  int stride() const { return stride_; }
  const int16_t* row(int i) const { return values_.data() + static_cast<size_t>(i) * stride_; }

 private:
  int count_;
  int stride_;
  std::vector<int16_t> values_;
};

inline int64_t SumOfLanes(v128_t sums) {
  return int64_t{wasm_i32x4_extract_lane(sums, 0)} + wasm_i32x4_extract_lane(sums, 1) +
         wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3);
}

// Adds the products of two rows with four. The sums of `kDepth` products of each lane fit in 32 bits.
template <int kDepth>
void AddProducts(const IntegerRows& left, int i, const IntegerRows& right, int j, int64_t (*sums)[4]) {
  for (int begin = 0; begin < left.stride(); begin += kDepth) {
    const int end = std::min(begin + kDepth, left.stride());
    v128_t lanes[2][4];
    for (auto& row : lanes) std::fill(row, row + 4, wasm_i32x4_const_splat(0));
    for (int k = begin; k < end; k += IntegerRows::kLanes) {
      const v128_t a[2] = {wasm_v128_load(left.row(i) + k), wasm_v128_load(left.row(i + 1) + k)};
      for (int n = 0; n < 4; ++n) {
        const v128_t b = wasm_v128_load(right.row(j + n) + k);
        for (int m = 0; m < 2; ++m) lanes[m][n] = wasm_i32x4_add(lanes[m][n], wasm_i32x4_dot_i16x8(a[m], b));
      }
    }
    for (int m = 0; m < 2; ++m) {
      for (int n = 0; n < 4; ++n) sums[m][n] += SumOfLanes(lanes[m][n]);
    }
  }
}

// The same for products of which two do not fit in 32 bits with others: lanes of 64 bits.
inline void AddWideProducts(const IntegerRows& left, int i, const IntegerRows& right, int j, int64_t (*sums)[4]) {
  v128_t lanes[2][4];
  for (auto& row : lanes) std::fill(row, row + 4, wasm_i64x2_const_splat(0));
  for (int k = 0; k < left.stride(); k += IntegerRows::kLanes) {
    const v128_t a[2] = {wasm_v128_load(left.row(i) + k), wasm_v128_load(left.row(i + 1) + k)};
    for (int n = 0; n < 4; ++n) {
      const v128_t b = wasm_v128_load(right.row(j + n) + k);
      for (int m = 0; m < 2; ++m) {
        const v128_t pairs = wasm_i32x4_dot_i16x8(a[m], b);
        const v128_t halves = wasm_i64x2_add(wasm_i64x2_extend_low_i32x4(pairs), wasm_i64x2_extend_high_i32x4(pairs));
        lanes[m][n] = wasm_i64x2_add(lanes[m][n], halves);
      }
    }
  }
  for (int m = 0; m < 2; ++m) {
    for (int n = 0; n < 4; ++n) {
      sums[m][n] += wasm_i64x2_extract_lane(lanes[m][n], 0) + wasm_i64x2_extract_lane(lanes[m][n], 1);
    }
  }
}

// Calls store(i, j, sum of the products of left row i and right row j) for all pairs of rows. `kDepth` is as for
// AddProducts(); 0 for products of two 16-bit integers.
template <int kDepth, typename Store>
void MultiplyRows(const IntegerRows& left, const IntegerRows& right, Store store) {
  for (int j = 0; j < right.count(); j += 4) {
    for (int i = 0; i < left.count(); i += 2) {
      int64_t sums[2][4] = {};
      if constexpr (kDepth == 0) {
        AddWideProducts(left, i, right, j, sums);
      } else {
        AddProducts<kDepth>(left, i, right, j, sums);
      }
      for (int m = 0; m < std::min(2, left.count() - i); ++m) {
        for (int n = 0; n < std::min(4, right.count() - j); ++n) store(i + m, j + n, sums[m][n]);
      }
    }
  }
}

// Products of 9-bit integers, and of a 16-bit one with a 9-bit one, fit in 32 bits so often.
inline constexpr int kDepthOf9Bits = 1 << 16;
inline constexpr int kDepthOf16And9Bits = 1 << 9;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_PRODUCTS_H_
