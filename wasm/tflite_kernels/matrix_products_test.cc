// Products of matrices, compared with scalar arithmetic: sizes around those of tiles, vectors and blocks.
#include "third_party/compat/include/matrix_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tflite::webnn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Sizes {
  int rows, depth, columns;
};

const std::vector<Sizes> kSizes = {{1, 1, 1},    {3, 5, 1},  {4, 8, 2},   {9, 13, 4},   {1, 3, 5},    {8, 16, 8},
                                   {17, 33, 11}, {5, 7, 70}, {70, 1, 19}, {33, 200, 6}, {2, 9000, 17}};

// Small integers: sums are exact in any order.
std::vector<float> Floats(int count, int seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 13) - 6);
  return values;
}

template <typename T>
std::vector<T> Integers(int count, int seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random());
  if (count > 1) values[0] = std::numeric_limits<T>::min(), values[1] = std::numeric_limits<T>::max();
  return values;
}

std::vector<float> Expected(const FloatProduct& p, const std::vector<float>& lhs, const std::vector<float>& rhs) {
  std::vector<float> output(p.rows * p.columns);
  for (int j = 0; j < p.columns; ++j) {
    for (int i = 0; i < p.rows; ++i) {
      float sum = p.bias == nullptr ? 0 : p.bias[i];
      for (int k = 0; k < p.depth; ++k) {
        sum += lhs[p.is_lhs_transposed ? k * p.rows + i : i * p.depth + k] * rhs[j * p.depth + k];
      }
      output[j * p.rows + i] = std::max(std::min(sum, p.max), p.min);
    }
  }
  return output;
}

TEST(MatrixProductsTest, FloatsOfAllSizes) {
  for (const auto& [rows, depth, columns] : kSizes) {
    const std::vector<float> lhs = Floats(rows * depth, 1), rhs = Floats(columns * depth, 2), bias = Floats(rows, 3);
    for (const bool is_transposed : {false, true}) {
      for (const float* some_bias : {static_cast<const float*>(nullptr), bias.data()}) {
        for (const float limit : {kInfinity, 20.0f}) {
          const FloatProduct product = {rows, depth, columns, is_transposed, some_bias, -limit, limit};
          std::vector<float> output(rows * columns, -77);
          Multiply(product, lhs.data(), rhs.data(), output.data());
          EXPECT_EQ(output, Expected(product, lhs, rhs)) << rows << " x " << depth << " x " << columns;
        }
      }
    }
  }
}

TEST(MatrixProductsTest, ProductsAreAddedToResults) {
  for (const auto& [rows, depth, batch] : kSizes) {
    const std::vector<float> matrix = Floats(rows * depth, 1), vectors = Floats(batch * depth, 2);
    const FloatProduct product = {rows, depth, batch, false, nullptr, -kInfinity, kInfinity};
    std::vector<float> expected = Expected(product, matrix, vectors), result(rows * batch, 3);
    for (float& sum : expected) sum += 3;
    AddProducts(matrix.data(), rows, depth, vectors.data(), batch, result.data());
    EXPECT_EQ(result, expected) << rows << " x " << depth << " x " << batch;
  }
}

TEST(MatrixProductsTest, FloatsThatAreNoNumbersAreKept) {
  for (const int columns : {1, 6}) {
    std::vector<float> lhs(5 * 9, 1), rhs(columns * 9, 1);
    lhs[0 * 9 + 3] = std::nanf("");
    lhs[1 * 9 + 8] = kInfinity;
    lhs[2 * 9 + 2] = -kInfinity;
    std::vector<float> output(5 * columns);
    Multiply(FloatProduct{5, 9, columns, false, nullptr, -kInfinity, kInfinity}, lhs.data(), rhs.data(), output.data());
    for (int j = 0; j < columns; ++j) {
      EXPECT_TRUE(std::isnan(output[5 * j])) << columns;
      EXPECT_EQ(output[5 * j + 1], kInfinity);
      EXPECT_EQ(output[5 * j + 2], -kInfinity);
      EXPECT_EQ(output[5 * j + 3], 9);
    }
    Multiply(FloatProduct{5, 9, columns, false, nullptr, 0, 6}, lhs.data(), rhs.data(), output.data());
    EXPECT_TRUE(std::isnan(output[0])) << "clamped";
    EXPECT_EQ(output[1], 6);
    EXPECT_EQ(output[2], 0);
  }
}

template <typename Output>
Output Scaled(const IntegerProduct& p, int row, int32_t sum) {
  if (p.multipliers == nullptr) return static_cast<Output>(sum);
  const int n = p.is_per_row ? row : 0;
  // As exact as products of 64 bits.
  const long double product = static_cast<long double>(sum) * p.multipliers[n];
  const long double real = std::floor(std::ldexp(product, p.exponents[n] - 31) + 0.5L) + p.output_zero_point;
  return static_cast<Output>(std::clamp<long double>(real, p.min, p.max));
}

template <typename Lhs, typename Rhs, typename Output>
void Check(bool is_per_row) {
  for (const auto& [rows, depth, columns] : kSizes) {
    const std::vector<Lhs> lhs = Integers<Lhs>(rows * depth, 1);
    const std::vector<Rhs> rhs = Integers<Rhs>(columns * depth, 2);
    std::vector<int32_t> bias = Integers<int32_t>(rows, 3), multipliers(rows);
    std::vector<int> exponents(rows);
    for (int i = 0; i < rows; ++i) {
      bias[i] %= 1 << 16;
      multipliers[i] = (1 << 30) + 12345 * i;
      exponents[i] = i % 4 == 3 ? 1 : -7 - i % 5;
    }
    const bool is_raw = sizeof(Output) == 4;
    const IntegerProduct product = {
        .rows = rows,
        .depth = depth,
        .columns = columns,
        .lhs_zero_point = std::is_unsigned_v<Lhs> ? 131 : 0,
        .rhs_zero_point = sizeof(Rhs) == 1 ? (std::is_unsigned_v<Rhs> ? 77 : -128) : 0,
        .output_zero_point = is_raw || sizeof(Output) == 2 ? 0 : 5,
        .bias = rows % 2 == 1 ? bias.data() : nullptr,
        .multipliers = is_raw ? nullptr : multipliers.data(),
        .exponents = exponents.data(),
        .is_per_row = is_per_row,
        .min = std::numeric_limits<Output>::min(),
        .max = is_raw ? std::numeric_limits<Output>::max() : Output{100},
    };
    std::vector<Output> output(rows * columns), expected(rows * columns);
    Multiply(product, lhs.data(), rhs.data(), output.data());
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        uint32_t sum = product.bias == nullptr ? 0 : bias[i];
        for (int k = 0; k < depth; ++k) {
          sum += static_cast<uint32_t>((lhs[i * depth + k] - product.lhs_zero_point) *
                                       (rhs[j * depth + k] - product.rhs_zero_point));
        }
        expected[j * rows + i] = Scaled<Output>(product, i, static_cast<int32_t>(sum));
      }
    }
    EXPECT_EQ(output, expected) << rows << " x " << depth << " x " << columns;
  }
}

TEST(MatrixProductsTest, IntegersWithOneMultiplier) {
  Check<uint8_t, uint8_t, uint8_t>(false);
  Check<uint8_t, uint8_t, int16_t>(false);
  Check<int8_t, int8_t, int8_t>(false);
  Check<int8_t, int16_t, int16_t>(false);
}

TEST(MatrixProductsTest, IntegersWithAMultiplierForEachRow) {
  Check<int8_t, int8_t, int8_t>(true);
  Check<int8_t, int16_t, int16_t>(true);
}

TEST(MatrixProductsTest, SumsOfNoIntegers) {
  const std::vector<int32_t> bias = {7, -9};
  IntegerProduct product = {};
  product.rows = 2;
  product.columns = 3;
  product.bias = bias.data();
  product.min = std::numeric_limits<int32_t>::min();
  product.max = std::numeric_limits<int32_t>::max();
  const std::vector<int8_t> nothing(1);
  std::vector<int32_t> output(6, -77);
  Multiply(product, nothing.data(), nothing.data(), output.data());
  EXPECT_EQ(output, (std::vector<int32_t>{7, -9, 7, -9, 7, -9}));
}

TEST(MatrixProductsTest, SumsOfIntegers) {
  Check<uint8_t, uint8_t, int32_t>(false);
  Check<int8_t, int8_t, int32_t>(false);
  Check<int8_t, int16_t, int32_t>(false);
}

}  // namespace
}  // namespace tflite::webnn
