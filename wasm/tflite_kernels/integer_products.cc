#include "tflite_kernels/integer_products.h"

#include <cstring>

#include "tflite_kernels/integer_scales.h"

namespace tflite::webnn {
namespace {

constexpr int kRows = 4;
constexpr int kColumns = 8;

v128_t Load8(const int8_t* source) { return wasm_i16x8_load8x8(source); }
v128_t Load8(const uint8_t* source) { return wasm_u16x8_load8x8(source); }
v128_t Load8(const int16_t* source) { return wasm_v128_load(source); }

// Up to 8 integers less a zero point; zeros follow.
template <typename T>
v128_t Load(const T* source, size_t step, int count, int16_t zero_point) {
  if (step == 1 && count >= kLanes) return wasm_i16x8_sub(Load8(source), wasm_i16x8_splat(zero_point));
  int16_t values[kLanes] = {};
  for (int i = 0; i < std::min(count, kLanes); ++i) {
    values[i] = static_cast<int16_t>(source[i * step] - zero_point);
  }
  return wasm_v128_load(values);
}

// Writes the 8 integers of 8 columns in pairs, from vectors with two rows' ones or with one column's.
void StorePairsOfRows(const v128_t (&rows)[8], int16_t* target) {
  for (int i = 0; i < 8; i += 2, target += 16) {
    wasm_v128_store(target, wasm_i16x8_shuffle(rows[i], rows[i + 1], 0, 8, 1, 9, 2, 10, 3, 11));
    wasm_v128_store(target + 8, wasm_i16x8_shuffle(rows[i], rows[i + 1], 4, 12, 5, 13, 6, 14, 7, 15));
  }
}

void StorePairsOfColumns(const v128_t (&columns)[8], int16_t* target) {
  for (int i = 0; i < 8; i += 4, target += 8) {
    const v128_t a = columns[i], b = columns[i + 1], c = columns[i + 2], d = columns[i + 3];
    const v128_t ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
    const v128_t later_ab = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7), later_cd = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
    wasm_v128_store(target, wasm_i64x2_shuffle(ab, cd, 0, 2));
    wasm_v128_store(target + 16, wasm_i64x2_shuffle(ab, cd, 1, 3));
    wasm_v128_store(target + 32, wasm_i64x2_shuffle(later_ab, later_cd, 0, 2));
    wasm_v128_store(target + 48, wasm_i64x2_shuffle(later_ab, later_cd, 1, 3));
  }
}

// The sums of `pairs` pairs of products of 4 rows with 8 columns. One pair an iteration: unrolled, the sums spill.
__attribute__((noinline)) void SumProducts(const int16_t* left, int stride, const int16_t* right, int pairs,
                                           NarrowSums (*sums)[2]) {
  v128_t own[kRows][2];
  for (auto& row : own) row[0] = row[1] = wasm_i32x4_const_splat(0);
#pragma clang loop unroll(disable)
  for (; pairs != 0; --pairs, left += 2, right += 2 * kColumns) {
    const v128_t low = wasm_v128_load(right);
    const v128_t high = wasm_v128_load(right + kColumns);
#pragma clang loop unroll(full)
    for (int i = 0; i < kRows; ++i) {
      const v128_t pair = wasm_v128_load32_splat(left + static_cast<ptrdiff_t>(i) * stride);
      own[i][0] = wasm_i32x4_add(own[i][0], wasm_i32x4_dot_i16x8(pair, low));
      own[i][1] = wasm_i32x4_add(own[i][1], wasm_i32x4_dot_i16x8(pair, high));
    }
  }
  std::memcpy(sums, own, sizeof(own));
}

// Adds the sums of products to wide ones, times 2^shift.
void AddProducts(const IntegerRows& left, int i, const IntegerColumns& right, const int16_t* block, int shift,
                 WideSums (*sums)[2]) {
  for (int begin = 0; begin < right.depth(); begin += right.summed_depth()) {
    const int depth = std::min(right.summed_depth(), right.depth() - begin);
    NarrowSums narrow[kRows][2];
    SumProducts(left.at(i) + begin, left.stride(), block + static_cast<ptrdiff_t>(begin) * kColumns, (depth + 1) / 2,
                narrow);
    for (int n = 0; n < kRows * 2; ++n) {
      WideSums& wide = sums[n / 2][n % 2];
      const v128_t sum = narrow[n / 2][n % 2];
      wide.low = wasm_i64x2_add(wide.low, wasm_i64x2_shl(wasm_i64x2_extend_low_i32x4(sum), shift));
      wide.high = wasm_i64x2_add(wide.high, wasm_i64x2_shl(wasm_i64x2_extend_high_i32x4(sum), shift));
    }
  }
}

// The sums of the products of rows i to i + 3 with columns j to j + 7.
void SumTile(const IntegerRows& left, int i, const IntegerColumns& right, int j, NarrowSums (*sums)[2]) {
  SumProducts(left.at(i), left.stride(), right.block(j), (right.depth() + 1) / 2, sums);
}

__attribute__((noinline)) void SumTile(const IntegerRows& left, int i, const IntegerColumns& right, int j,
                                       WideSums (*sums)[2]) {
  for (int n = 0; n < kRows * 2; ++n) sums[n / 2][n % 2] = {wasm_i64x2_const_splat(0), wasm_i64x2_const_splat(0)};
  AddProducts(left, i, right, right.block(j), 0, sums);
  if (const int16_t* high = right.high_block(j)) AddProducts(left, i, right, high, 8, sums);
}

}  // namespace

template <typename T>
void IntegerRows::Fill(const T* data, int depth, size_t row_step, size_t element_step, int32_t zero_point) {
  for (int i = 0; i < count(); ++i) {
    for (int k = 0; k < stride(); k += kLanes) {
      const T* source = data + i * row_step + k * element_step;
      wasm_v128_store(at(i) + k, Load(source, element_step, depth - k, static_cast<int16_t>(zero_point)));
    }
  }
}

uint32_t IntegerRows::LargestSum() const {
  uint32_t largest = 0;
  for (int i = 0; i < count(); ++i) {
    v128_t sums = wasm_i32x4_const_splat(0);
    for (int k = 0; k < stride(); k += kLanes) {
      const v128_t magnitudes = wasm_i16x8_abs(wasm_v128_load(at(i) + k));
      sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(magnitudes));
    }
    uint32_t lanes[4];
    wasm_v128_store(lanes, sums);
    largest = std::max(largest, lanes[0] + lanes[1] + lanes[2] + lanes[3]);
  }
  return largest;
}

template <typename T>
void IntegerColumns::Fill(const T* data, size_t column_step, size_t element_step, int32_t zero_point) {
  const bool has_rows = column_step == 1;
  for (int j = 0; j < count(); j += kColumns) {
    for (int k = 0; k < values_.stride(); k += kLanes) {
      const T* source = data + j * column_step + k * element_step;
      const int columns = count() - j, rows = depth_ - k;
      v128_t vectors[8];
      for (int i = 0; i < 8; ++i) {
        const int size = has_rows ? (i < rows ? columns : 0) : (i < columns ? rows : 0);
        vectors[i] = Load(source + i * (has_rows ? element_step : column_step), has_rows ? 1 : element_step, size,
                          static_cast<int16_t>(zero_point));
      }
      (has_rows ? StorePairsOfRows : StorePairsOfColumns)(vectors, values_.at(j) + k * kColumns);
    }
  }
}

void IntegerColumns::Widen(const IntegerRows& left) {
  int16_t* values = values_.at(0);
  v128_t max = wasm_i16x8_const_splat(0);
  for (size_t i = 0; i < values_.size(); i += kLanes) {
    max = wasm_u16x8_max(max, wasm_i16x8_abs(wasm_v128_load(values + i)));
  }
  uint16_t lanes[kLanes];
  wasm_v128_store(lanes, max);
  const uint64_t largest_sum = uint64_t{left.LargestSum()} * *std::max_element(lanes, lanes + kLanes);
  if (depth_ <= 1 << 16 && largest_sum <= INT32_MAX) {
    summed_depth_ = depth_;
    return;
  }
  high_.emplace(count(), depth_);
  for (size_t i = 0; i < values_.size(); i += kLanes) {
    const v128_t both = wasm_v128_load(values + i);
    const v128_t is_low_negative = wasm_v128_and(wasm_i16x8_shr(both, 7), wasm_i16x8_const_splat(1));
    wasm_v128_store(high_->at(0) + i, wasm_i16x8_add(wasm_i16x8_shr(both, 8), is_low_negative));
    wasm_v128_store(values + i, wasm_i16x8_shr(wasm_i16x8_shl(both, 8), 8));
  }
}

template <typename T, typename Scale>
void MultiplyRows(const IntegerRows& left, const IntegerColumns& right, const Scale& scale, int32_t min, int32_t max,
                  T* output) {
  for (int j = 0; j < right.count(); j += kColumns) {
    for (int i = 0; i < left.count(); i += kRows) {
      typename Scale::Sums sums[kRows][2];
      SumTile(left, i, right, j, sums);
      for (int m = 0; m < std::min(kRows, left.count() - i); ++m) {
        T* row = output + static_cast<size_t>(i + m) * right.count();
        for (int n = j; n < std::min(j + kColumns, right.count()); n += 4) {
          StoreClamped(scale(n, sums[m][(n - j) / 4]), min, max, right.count() - n, row + n);
        }
      }
    }
  }
}

template void IntegerRows::Fill(const int8_t*, int, size_t, size_t, int32_t);
template void IntegerRows::Fill(const uint8_t*, int, size_t, size_t, int32_t);
template void IntegerRows::Fill(const int16_t*, int, size_t, size_t, int32_t);
template void IntegerColumns::Fill(const int8_t*, size_t, size_t, int32_t);
template void IntegerColumns::Fill(const uint8_t*, size_t, size_t, int32_t);
template void IntegerColumns::Fill(const int16_t*, size_t, size_t, int32_t);
template void MultiplyRows(const IntegerRows&, const IntegerColumns&, const NarrowScale&, int32_t, int32_t, int8_t*);
template void MultiplyRows(const IntegerRows&, const IntegerColumns&, const NarrowScales&, int32_t, int32_t, int16_t*);
template void MultiplyRows(const IntegerRows&, const IntegerColumns&, const ProductScales&, int32_t, int32_t, int8_t*);
template void MultiplyRows(const IntegerRows&, const IntegerColumns&, const ProductScales&, int32_t, int32_t, uint8_t*);
template void MultiplyRows(const IntegerRows&, const IntegerColumns&, const ProductScales&, int32_t, int32_t, int16_t*);
template void MultiplyRows(const IntegerRows&, const IntegerColumns&, const ProductScales&, int32_t, int32_t, int32_t*);
template void MultiplyRows(const IntegerRows&, const IntegerColumns&, const WideScales&, int32_t, int32_t, int16_t*);

}  // namespace tflite::webnn
