#include "runner/kernels/integer_products.h"

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

}  // namespace

void SumProducts(const IntegerRows& left, int i, const IntegerRows& right, int j, int depth, Sums (*sums)[2]) {
  std::fill(*sums, *sums + 2, Sums{wasm_i64x2_const_splat(0), wasm_i64x2_const_splat(0)});
  if (depth == kDepthOf16Bits) {
    SumWideProducts(left, i, right, j, *sums);
  } else {
    SumNarrowProducts(left, i, right, j, depth, *sums);
  }
}

}  // namespace tflite::webnn
