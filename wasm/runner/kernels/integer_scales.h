#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_SCALES_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_SCALES_H_

#include <wasm_simd128.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "runner/kernels/integer_products.h"

// How TFLite rounds what integer kernels compute, four values at once.
namespace tflite::webnn {

// MultiplyByQuantizedMultiplier() of 32-bit integers, which rounds twice: half up, then half away from zero.
class Multiplier {
 public:
  Multiplier(int32_t multiplier, int shift)
      : multiplier_(multiplier), left_(shift > 0 ? shift : 0), right_(left_ - shift) {}

  // Whether TFLite defines the product.
  bool is_regular() const { return left_ <= 30 && right_ <= 31; }

  v128_t operator()(v128_t x) const {
    x = wasm_i32x4_shl(x, left_);
    const v128_t multiplier = wasm_i32x4_splat(multiplier_);
    const v128_t high = wasm_i32x4_shuffle(Doubled(wasm_i64x2_extmul_low_i32x4(x, multiplier)),
                                           Doubled(wasm_i64x2_extmul_high_i32x4(x, multiplier)), 1, 3, 5, 7);
    const int32_t mask = static_cast<int32_t>((int64_t{1} << right_) - 1);
    const v128_t threshold = wasm_i32x4_sub(wasm_i32x4_splat(mask >> 1), wasm_i32x4_shr(high, 31));
    const v128_t is_above = wasm_i32x4_gt(wasm_v128_and(high, wasm_i32x4_splat(mask)), threshold);
    return wasm_i32x4_sub(wasm_i32x4_shr(high, right_), is_above);
  }

 private:
  // The upper 32 bits of it are the rounded product.
  static v128_t Doubled(v128_t product) {
    return wasm_i64x2_add(wasm_i64x2_add(product, product), wasm_i64x2_const_splat(int64_t{1} << 31));
  }

  int32_t multiplier_;
  int left_;
  int right_;
};

// Of sums of 32 bits, with one multiplier for all columns.
class NarrowScale {
 public:
  NarrowScale(const Multiplier& multiplier, int32_t zero_point) : multiplier_(multiplier), zero_point_(zero_point) {}

  v128_t operator()(int j, const Sums& sums) const {
    return wasm_i32x4_add(multiplier_(wasm_i32x4_shuffle(sums.low, sums.high, 0, 2, 4, 6)),
                          wasm_i32x4_splat(zero_point_));
  }

 private:
  Multiplier multiplier_;
  int32_t zero_point_;
};

// What a product's columns add to their sums, in whole vectors.
class Biases {
 public:
  explicit Biases(int count) : values_((count + 3) / 4 * 4, 0) {}

  void Set(int i, int64_t value) { values_[i] = value; }
  int64_t operator[](int i) const { return values_[i]; }
  int padded_count() const { return static_cast<int>(values_.size()); }
  Sums Added(int j, const Sums& sums) const {
    return {wasm_i64x2_add(sums.low, wasm_v128_load(&values_[j])),
            wasm_i64x2_add(sums.high, wasm_v128_load(&values_[j + 2]))};
  }

 private:
  std::vector<int64_t> values_;
};

// (sum * multiplier + half) >> shift, with a multiplier for each column.
class FixedPointScales {
 public:
  FixedPointScales(Biases biases, bool has_wide_sums)
      : biases_(std::move(biases)), has_wide_sums_(has_wide_sums), columns_(biases_.padded_count(), {0, 1}) {}

  // As MultiplyByQuantizedMultiplier() rounds 64-bit sums, and ruy 32-bit ones. False for what they do not define.
  bool Set(int column, int32_t multiplier, int shift) {
    const int32_t reduced = multiplier < 0x7FFF0000 ? (multiplier + (1 << 15)) >> 16 : 0x7FFF;
    columns_[column] = has_wide_sums_ ? Column{reduced, 15 - shift} : Column{multiplier, 31 - shift};
    return shift >= -31 && shift <= 7;
  }

  v128_t operator()(int j, const Sums& sums) const {
    const Sums all = biases_.Added(j, sums);
    return wasm_i32x4_make(
        Scaled(j, wasm_i64x2_extract_lane(all.low, 0)), Scaled(j + 1, wasm_i64x2_extract_lane(all.low, 1)),
        Scaled(j + 2, wasm_i64x2_extract_lane(all.high, 0)), Scaled(j + 3, wasm_i64x2_extract_lane(all.high, 1)));
  }

 private:
  struct Column {
    int64_t multiplier;
    int64_t shift;
  };

  int32_t Scaled(int j, int64_t sum) const {
    const auto [multiplier, shift] = columns_[j];
    if (!has_wide_sums_) sum = static_cast<int32_t>(sum);
    return static_cast<int32_t>((sum * multiplier + (int64_t{1} << (shift - 1))) >> shift);
  }

  Biases biases_;
  bool has_wide_sums_;
  std::vector<Column> columns_;
};

// std::round() of sums times a double for each column. Sums are less than 2^51.
class RoundedScales {
 public:
  RoundedScales(Biases biases, std::vector<double> scales) : biases_(std::move(biases)), scales_(std::move(scales)) {
    scales_.resize(biases_.padded_count(), 0);
  }

  // Whether the sum with any product is small enough.
  static bool IsRegular(int64_t bias) { return bias > -(int64_t{1} << 50) && bias < int64_t{1} << 50; }

  v128_t operator()(int j, const Sums& sums) const {
    const Sums all = biases_.Added(j, sums);
    return wasm_i64x2_shuffle(Rounded(all.low, wasm_v128_load(&scales_[j])),
                              Rounded(all.high, wasm_v128_load(&scales_[j + 2])), 0, 2);
  }

 private:
  static v128_t Rounded(v128_t sums, v128_t scales) {
    // 1.5 * 2^52, whose last bit is worth 1: integers added to its bits are added to its value.
    const v128_t base = wasm_f64x2_const_splat(6755399441055744.0);
    const v128_t x = wasm_f64x2_mul(wasm_f64x2_sub(wasm_i64x2_add(sums, base), base), scales);
    const v128_t whole = wasm_f64x2_trunc(x);
    const v128_t is_up = wasm_f64x2_ge(wasm_f64x2_abs(wasm_f64x2_sub(x, whole)), wasm_f64x2_const_splat(0.5));
    const v128_t sign = wasm_v128_and(x, wasm_f64x2_const_splat(-0.0));
    const v128_t one = wasm_v128_and(is_up, wasm_v128_or(wasm_f64x2_const_splat(1), sign));
    return wasm_i32x4_trunc_sat_f64x2_zero(wasm_f64x2_add(whole, one));
  }

  Biases biases_;
  std::vector<double> scales_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_SCALES_H_
