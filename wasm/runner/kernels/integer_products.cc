#include "runner/kernels/integer_products.h"

#include "runner/kernels/integer_scales.h"

namespace tflite::webnn {
namespace {

// Four sums, each of the lanes of one vector. They fit in 32 bits.
v128_t SumsOfLanes(const v128_t* lanes) {
  const v128_t ab = wasm_i32x4_add(wasm_i32x4_shuffle(lanes[0], lanes[1], 0, 4, 1, 5),
                                   wasm_i32x4_shuffle(lanes[0], lanes[1], 2, 6, 3, 7));
  const v128_t cd = wasm_i32x4_add(wasm_i32x4_shuffle(lanes[2], lanes[3], 0, 4, 1, 5),
                                   wasm_i32x4_shuffle(lanes[2], lanes[3], 2, 6, 3, 7));
  return wasm_i32x4_add(wasm_i64x2_shuffle(ab, cd, 0, 2), wasm_i64x2_shuffle(ab, cd, 1, 3));
}

// The same for two vectors of 64-bit lanes.
v128_t SumsOfWideLanes(v128_t a, v128_t b) {
  return wasm_i64x2_add(wasm_i64x2_shuffle(a, b, 0, 2), wasm_i64x2_shuffle(a, b, 1, 3));
}

void SumNarrowProducts(const IntegerRows& left, int i, const IntegerRows& right, int j, int depth, Sums (&sums)[2]) {
  for (int begin = 0; begin < left.stride(); begin += depth) {
    const int end = std::min(begin + depth, left.stride());
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
      const v128_t four = SumsOfLanes(lanes[m]);
      sums[m].low = wasm_i64x2_add(sums[m].low, wasm_i64x2_extend_low_i32x4(four));
      sums[m].high = wasm_i64x2_add(sums[m].high, wasm_i64x2_extend_high_i32x4(four));
    }
  }
}

// In lanes of 64 bits.
void SumWideProducts(const IntegerRows& left, int i, const IntegerRows& right, int j, Sums (&sums)[2]) {
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
    sums[m] = {SumsOfWideLanes(lanes[m][0], lanes[m][1]), SumsOfWideLanes(lanes[m][2], lanes[m][3])};
  }
}

// The sums of the products of left rows i, i + 1 with right rows j to j + 3.
__attribute__((noinline)) void SumProducts(const IntegerRows& left, int i, const IntegerRows& right, int j, int depth,
                                           Sums (*sums)[2]) {
  std::fill(*sums, *sums + 2, Sums{wasm_i64x2_const_splat(0), wasm_i64x2_const_splat(0)});
  if (depth == kDepthOf16Bits) {
    SumWideProducts(left, i, right, j, *sums);
  } else {
    SumNarrowProducts(left, i, right, j, depth, *sums);
  }
}

}  // namespace

template <typename T>
void IntegerRows::Fill(const T* data, int depth, size_t row_step, size_t element_step, int32_t zero_point) {
  const int16_t offset = static_cast<int16_t>(zero_point);
  for (int i = 0; i < count_; ++i) {
    int16_t* values = row(i);
    const T* source = data + i * row_step;
    if (element_step == 1) {
      // Compilers have SIMD for this one.
      for (int k = 0; k < depth; ++k) values[k] = static_cast<int16_t>(source[k] - offset);
    } else {
      for (int k = 0; k < depth; ++k) values[k] = static_cast<int16_t>(source[k * element_step] - offset);
    }
  }
}

template <typename T, typename Scale>
void MultiplyRows(const IntegerRows& left, const IntegerRows& right, int depth, const Scale& scale, int32_t least,
                  int32_t most, T* output) {
  for (int j = 0; j < right.count(); j += 4) {
    for (int i = 0; i < left.count(); i += 2) {
      Sums sums[2];
      SumProducts(left, i, right, j, depth, &sums);
      for (int m = 0; m < std::min(2, left.count() - i); ++m) {
        T* row = output + static_cast<size_t>(i + m) * right.count();
        StoreClamped(scale(j, sums[m]), least, most, right.count() - j, row + j);
      }
    }
  }
}

template void IntegerRows::Fill(const int8_t*, int, size_t, size_t, int32_t);
template void IntegerRows::Fill(const int16_t*, int, size_t, size_t, int32_t);
template void MultiplyRows(const IntegerRows&, const IntegerRows&, int, const NarrowScale&, int32_t, int32_t, int8_t*);
template void MultiplyRows(const IntegerRows&, const IntegerRows&, int, const FixedPointScales&, int32_t, int32_t,
                           int16_t*);
template void MultiplyRows(const IntegerRows&, const IntegerRows&, int, const RoundedScales&, int32_t, int32_t,
                           int16_t*);

}  // namespace tflite::webnn
