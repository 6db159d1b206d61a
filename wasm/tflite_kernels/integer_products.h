#ifndef TFLITE_WEBNN_TFLITE_KERNELS_INTEGER_PRODUCTS_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_INTEGER_PRODUCTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "tflite_kernels/simd.h"

// Products of integer matrices, of which TFLite has SIMD kernels on ARM and x86 only. Tiles of 4 rows and 8 columns, as
// in wasm/xnnpack_kernels/dot16x2_tile.h.
namespace tflite::webnn {

// 16-bit integers of several rows or columns, each of full vectors, and in full blocks of 8.
class IntegerBlocks {
 public:
  IntegerBlocks(int count, int depth)
      : count_(count),
        stride_(Padded(depth)),
        // A product of more than 32 bits becomes one that no allocation can have.
        size_(std::min<uint64_t>(uint64_t{static_cast<uint32_t>(Padded(count))} * stride_, SIZE_MAX)),
        values_(std::make_unique_for_overwrite<int16_t[]>(size_)) {}

  int count() const { return count_; }
  int stride() const { return stride_; }
  size_t size() const { return size_; }
  const int16_t* at(int i) const { return values_.get() + static_cast<size_t>(i) * stride_; }
  int16_t* at(int i) { return values_.get() + static_cast<size_t>(i) * stride_; }

 private:
  static int Padded(int count) { return (count + kLanes - 1) / kLanes * kLanes; }

  int count_;
  int stride_;
  size_t size_;
  std::unique_ptr<int16_t[]> values_;
};

// The left factor: one row after the other. What follows a row's elements may be anything, but Fill() writes zeros.
class IntegerRows : public IntegerBlocks {
 public:
  using IntegerBlocks::IntegerBlocks;

  // Takes rows with a step of `element_step` between elements, less a zero point. Wraps around where a file's is out of
  // range.
  template <typename T>
  void Fill(const T* data, int depth, size_t row_step, size_t element_step, int32_t zero_point);

  // The largest sum of a row's magnitudes, of up to 2^16 elements that Fill() has written.
  uint32_t LargestSum() const;
};

// The right factor, in the order in which products read it: two integers of each of 8 columns, then the next two. Zeros
// follow a column's elements.
class IntegerColumns {
 public:
  IntegerColumns(int count, int depth) : depth_(depth), values_(count, depth) {}

  // As IntegerRows.
  template <typename T>
  void Fill(const T* data, size_t column_step, size_t element_step, int32_t zero_point);

  // For products of 16-bit integers, whose sums may need more than 32 bits: measures them, or splits the columns in
  // low and high bytes. Without it, columns are of 9 bits.
  void Widen(const IntegerRows& left);

  int count() const { return values_.count(); }
  int depth() const { return depth_; }
  // How many products of a row and a column fit in a sum of 32 bits.
  int summed_depth() const { return summed_depth_; }
  const int16_t* block(int j) const { return values_.at(j); }
  // The high bytes of the block; null if it is not split.
  const int16_t* high_block(int j) const { return high_ ? high_->at(j) : nullptr; }

 private:
  int depth_;
  int summed_depth_ = 1 << 8;
  IntegerBlocks values_;
  std::optional<IntegerBlocks> high_;
};

// Four sums of 32 bits, which wrap around, or of 64.
using NarrowSums = v128_t;
struct WideSums {
  v128_t low;
  v128_t high;
};

// Writes [left rows, right columns]: scale(j, sums for columns j to j + 3), four values of 32 bits, clamped.
template <typename T, typename Scale>
void MultiplyRows(const IntegerRows& left, const IntegerColumns& right, const Scale& scale, int32_t min, int32_t max,
                  T* output);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_INTEGER_PRODUCTS_H_
