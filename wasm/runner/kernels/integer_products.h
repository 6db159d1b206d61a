#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_PRODUCTS_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_PRODUCTS_H_

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
  void Fill(const T* data, int depth, size_t row_step, size_t element_step, int32_t zero_point);

  // Whether two neighbours are the lowest number: two products of such pairs do not fit in 32 bits.
  bool HasLowestPair() const {
    for (size_t i = 0; i < values_.size(); i += 2) {
      if (values_[i] == INT16_MIN && values_[i + 1] == INT16_MIN) return true;
    }
    return false;
  }

  int count() const { return count_; }
  int stride() const { return stride_; }
  const int16_t* row(int i) const { return values_.data() + static_cast<size_t>(i) * stride_; }
  int16_t* row(int i) { return values_.data() + static_cast<size_t>(i) * stride_; }

 private:
  int count_;
  int stride_;
  std::vector<int16_t> values_;
};

// Four sums of 64 bits.
struct Sums {
  v128_t low;
  v128_t high;
};

// How many products of a row fit in a sum of 32 bits: of 9-bit integers, and of a 16-bit one with an 8-bit one.
inline constexpr int kDepthOf9Bits = 1 << 14;
inline constexpr int kDepthOf16And8Bits = 1 << 8;
// For products of two 16-bit integers, not of two lowest pairs.
inline constexpr int kDepthOf16Bits = 0;

// Stores up to four values of 32 bits, clamped.
template <typename T>
inline void StoreClamped(v128_t values, int32_t least, int32_t most, int count, T* output) {
  values = wasm_i32x4_min(wasm_i32x4_max(values, wasm_i32x4_splat(least)), wasm_i32x4_splat(most));
  v128_t narrow = wasm_i16x8_narrow_i32x4(values, values);
  if (sizeof(T) == 1) narrow = wasm_i8x16_narrow_i16x8(narrow, narrow);
  if (count < 4) {
    std::memcpy(output, &narrow, count * sizeof(T));
  } else if (sizeof(T) == 1) {
    wasm_v128_store32_lane(output, narrow, 0);
  } else {
    wasm_v128_store64_lane(output, narrow, 0);
  }
}

// Writes [left rows, right rows]: scale(j, sums for columns j to j + 3), four values of 32 bits, clamped. `depth` is
// how many products fit in 32 bits, kDepth... above.
template <typename T, typename Scale>
void MultiplyRows(const IntegerRows& left, const IntegerRows& right, int depth, const Scale& scale, int32_t least,
                  int32_t most, T* output);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_PRODUCTS_H_
