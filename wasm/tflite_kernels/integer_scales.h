#ifndef TFLITE_WEBNN_TFLITE_KERNELS_INTEGER_SCALES_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_INTEGER_SCALES_H_

#include <wasm_simd128.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tflite_kernels/integer_products.h"
#include "third_party/compat/include/matrix_products.h"

// How TFLite rounds what integer kernels compute, four values in parallel.
namespace tflite::webnn {

// MultiplyByQuantizedMultiplier() of 32-bit integers, which rounds twice: half up, then half away from zero.
class Multiplier {
 public:
  Multiplier(int32_t multiplier, int shift)
      : multiplier_(multiplier), left_(shift > 0 ? shift : 0), right_(left_ - shift) {}

  // Whether TFLite defines the product.
  bool is_regular() const { return left_ <= 30 && right_ <= 31; }

  __attribute__((always_inline)) v128_t operator()(v128_t x) const {
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
  using Sums = NarrowSums;

  NarrowScale(const Multiplier& multiplier, int32_t zero_point) : multiplier_(multiplier), zero_point_(zero_point) {}

  __attribute__((always_inline)) v128_t operator()(int, NarrowSums sums) const {
    return wasm_i32x4_add(multiplier_(sums), wasm_i32x4_splat(zero_point_));
  }

 private:
  Multiplier multiplier_;
  int32_t zero_point_;
};

// Numbers for each column, in full vectors.
template <typename T>
class ColumnValues {
 public:
  explicit ColumnValues(int count) : values_((count + 3) / 4 * 4, 0) {}

  T& operator[](int i) { return values_[i]; }
  v128_t Vector(int i) const { return wasm_v128_load(&values_[i]); }

 private:
  std::vector<T> values_;
};

// Of sums of 32 bits, with a bias and a multiplier for each column, as ruy rounds them: half up.
class NarrowScales {
 public:
  using Sums = NarrowSums;

  explicit NarrowScales(int count) : biases_(count), multipliers_(count), halves_(count), factors_(count) {}

  // False for a multiplier that only TFLite's kernel computes with.
  bool Set(int column, int64_t bias, int32_t multiplier, int shift) {
    if (shift < -31 || shift > -3) return false;
    biases_[column] = static_cast<int32_t>(bias);
    multipliers_[column] = multiplier;
    halves_[column] = int64_t{1} << (30 - shift);
    factors_[column] = 1 << (33 + shift);
    return true;
  }

  v128_t operator()(int j, NarrowSums sums) const {
    sums = wasm_i32x4_add(sums, biases_.Vector(j));
    const v128_t multipliers = multipliers_.Vector(j), factors = factors_.Vector(j);
    const v128_t low = wasm_i64x2_add(wasm_i64x2_extmul_low_i32x4(sums, multipliers), halves_.Vector(j));
    const v128_t high = wasm_i64x2_add(wasm_i64x2_extmul_high_i32x4(sums, multipliers), halves_.Vector(j + 2));
    const v128_t upper = UpperHalves(low, high);
    // Shifts that differ by lane: a product by a power of two, shifted by 32.
    return UpperHalves(wasm_i64x2_extmul_low_i32x4(upper, factors), wasm_i64x2_extmul_high_i32x4(upper, factors));
  }

 private:
  static v128_t UpperHalves(v128_t low, v128_t high) { return wasm_i32x4_shuffle(low, high, 1, 3, 5, 7); }

  ColumnValues<int32_t> biases_;
  ColumnValues<int32_t> multipliers_;
  ColumnValues<int64_t> halves_;
  ColumnValues<int32_t> factors_;
};

// Of sums of 32 bits, with any multipliers, as ruy rounds them: half up.
class ProductScales {
 public:
  using Sums = NarrowSums;

  explicit ProductScales(const IntegerProduct& product) : product_(product) {}

  v128_t operator()(int j, NarrowSums sums) const;

 private:
  const IntegerProduct& product_;
};

// Of sums of 64 bits, less than 2^51, with a bias and a factor for each column. They round half up, as
// MultiplyByQuantizedMultiplier() does, or half away from zero, as std::round().
class WideScales {
 public:
  using Sums = WideSums;

  WideScales(int count, bool rounds_up) : rounds_up_(rounds_up), biases_(count), factors_(count) {}

  // Whether the bias leaves bits for sums.
  bool SetBias(int column, int64_t bias) {
    biases_[column] = bias;
    return bias > -(int64_t{1} << 50) && bias < int64_t{1} << 50;
  }
  void SetFactor(int column, double factor) { factors_[column] = factor; }

  // MultiplyByQuantizedMultiplier()'s factor. Doubles hold all products of it whose results are not clamped to 16 bits;
  // false if not.
  bool SetFactor(int column, int32_t multiplier, int shift) {
    const int32_t reduced = multiplier < 0x7FFF0000 ? (multiplier + (1 << 15)) >> 16 : 0x7FFF;
    factors_[column] = std::ldexp(reduced, shift - 15);
    return shift >= -23 && shift <= 7;
  }

  __attribute__((always_inline)) v128_t operator()(int j, const WideSums& sums) const {
    return wasm_i64x2_shuffle(Rounded(wasm_i64x2_add(sums.low, biases_.Vector(j)), factors_.Vector(j)),
                              Rounded(wasm_i64x2_add(sums.high, biases_.Vector(j + 2)), factors_.Vector(j + 2)), 0, 2);
  }

 private:
  __attribute__((always_inline)) v128_t Rounded(v128_t sums, v128_t factors) const {
    // 1.5 * 2^52, whose last bit is worth 1: integers added to its bits are added to its value.
    const v128_t base = wasm_f64x2_const_splat(6755399441055744.0), half = wasm_f64x2_const_splat(0.5);
    const v128_t x = wasm_f64x2_mul(wasm_f64x2_sub(wasm_i64x2_add(sums, base), base), factors);
    if (rounds_up_) return wasm_i32x4_trunc_sat_f64x2_zero(wasm_f64x2_floor(wasm_f64x2_add(x, half)));
    const v128_t truncated = wasm_f64x2_trunc(x);
    const v128_t is_up = wasm_f64x2_ge(wasm_f64x2_abs(wasm_f64x2_sub(x, truncated)), half);
    const v128_t sign = wasm_v128_and(x, wasm_f64x2_const_splat(-0.0));
    const v128_t one = wasm_v128_and(is_up, wasm_v128_or(wasm_f64x2_const_splat(1), sign));
    return wasm_i32x4_trunc_sat_f64x2_zero(wasm_f64x2_add(truncated, one));
  }

  bool rounds_up_;
  ColumnValues<int64_t> biases_;
  ColumnValues<double> factors_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_INTEGER_SCALES_H_
