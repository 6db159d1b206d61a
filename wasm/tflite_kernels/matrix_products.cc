#include "third_party/compat/include/matrix_products.h"

#include <xnnpack.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "tflite_kernels/integer_products.h"
#include "tflite_kernels/integer_scales.h"
#include "tflite_kernels/simd.h"

namespace tflite::webnn {
namespace {

// Of the integers that are widened together.
constexpr int kBlockSize = 1 << 16;
// To put the left matrix in another order takes longer than to read it once for each of so few columns.
constexpr int kMaxSingleColumns = 4;
constexpr int kRows = 4;

v128_t LoadFloats(const float* source, int count) {
  return count >= 4 ? wasm_v128_load(source) : LoadBytes(source, std::max(count, 0) * sizeof(float));
}

// The sums of four vectors' elements.
v128_t Totals(v128_t a, v128_t b, v128_t c, v128_t d) {
  const v128_t ab = wasm_f32x4_add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
  const v128_t cd = wasm_f32x4_add(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
  return wasm_f32x4_add(wasm_i64x2_shuffle(ab, cd, 0, 2), wasm_i64x2_shuffle(ab, cd, 1, 3));
}

// One column, by a left matrix that is stored by rows.
void MultiplyColumn(const FloatProduct& product, const float* lhs, const float* column, float* output) {
  const int depth = product.depth;
  for (int i = 0; i < product.rows; i += kRows) {
    const float* rows[kRows];
    v128_t sums[kRows][2];
    for (int n = 0; n < kRows; ++n) {
      rows[n] = lhs + static_cast<size_t>(std::min(i + n, product.rows - 1)) * depth;
      sums[n][0] = sums[n][1] = wasm_f32x4_const_splat(0);
    }
    int k = 0;
    for (; k + 8 <= depth; k += 8) {
      const v128_t low = wasm_v128_load(column + k), high = wasm_v128_load(column + k + 4);
      for (int n = 0; n < kRows; ++n) {
        sums[n][0] = wasm_f32x4_add(sums[n][0], wasm_f32x4_mul(wasm_v128_load(rows[n] + k), low));
        sums[n][1] = wasm_f32x4_add(sums[n][1], wasm_f32x4_mul(wasm_v128_load(rows[n] + k + 4), high));
      }
    }
    for (; k < depth; k += 4) {
      const v128_t values = LoadFloats(column + k, depth - k);
      for (int n = 0; n < kRows; ++n) {
        sums[n][0] = wasm_f32x4_add(sums[n][0], wasm_f32x4_mul(LoadFloats(rows[n] + k, depth - k), values));
      }
    }
    for (auto& row : sums) row[0] = wasm_f32x4_add(row[0], row[1]);
    const int count = std::min(kRows, product.rows - i);
    v128_t totals = Totals(sums[0][0], sums[1][0], sums[2][0], sums[3][0]);
    if (product.bias != nullptr) totals = wasm_f32x4_add(totals, LoadFloats(product.bias + i, count));
    // These keep NaN.
    totals = wasm_f32x4_pmin(totals, wasm_f32x4_splat(product.max));
    totals = wasm_f32x4_pmax(totals, wasm_f32x4_splat(product.min));
    StoreBytes(totals, count * sizeof(float), output + i);
  }
}

// XNNPACK's fully connected layer whose weights the run computes. False if there is no memory for it.
bool MultiplyByXnnpack(const FloatProduct& product, const float* lhs, const float* rhs, float* output) {
  static const bool is_initialized = xnn_initialize(nullptr) == xnn_status_success;
  xnn_operator_t created = nullptr;
  const uint32_t flags = product.is_lhs_transposed ? XNN_FLAG_TRANSPOSE_WEIGHTS : 0;
  if (!is_initialized ||
      xnn_create_dynamic_fully_connected_nc_f32(product.min, product.max, flags, &created) != xnn_status_success) {
    return false;
  }
  const std::unique_ptr<xnn_operator, decltype(&xnn_delete_operator)> layer(created, xnn_delete_operator);
  size_t workspace_size = 0;
  const xnn_status reshaped = xnn_reshape_dynamic_fully_connected_nc_f32(
      created, product.columns, product.depth, product.rows, product.depth, product.rows, &workspace_size, nullptr);
  if (reshaped != xnn_status_success) return false;
  const std::unique_ptr<void, decltype(&std::free)> workspace(std::malloc(workspace_size), std::free);
  return workspace != nullptr &&
         xnn_setup_dynamic_fully_connected_nc_f32(created, workspace.get(), rhs, lhs, product.bias, output) ==
             xnn_status_success &&
         xnn_run_operator(created, nullptr) == xnn_status_success;
}

}  // namespace

v128_t ProductScales::operator()(int j, NarrowSums sums) const {
  int32_t values[4];
  wasm_v128_store(values, sums);
  for (int i = 0; i < std::min(4, product_.rows - j); ++i) {
    uint32_t sum = static_cast<uint32_t>(values[i]);
    if (product_.bias != nullptr) sum += static_cast<uint32_t>(product_.bias[j + i]);
    values[i] = static_cast<int32_t>(sum);
    if (product_.multipliers == nullptr) continue;
    const int row = product_.is_per_row ? j + i : 0;
    const int exponent = product_.exponents[row];
    const int shift = std::clamp(31 - exponent, 1, 62);
    const int64_t scaled = int64_t{values[i]} * product_.multipliers[row] + (int64_t{1} << (shift - 1));
    // Native's vectors have no bit left where they shift by 32 or more.
    values[i] = (exponent < 32 ? static_cast<int32_t>(scaled >> shift) : 0) + product_.output_zero_point;
  }
  return wasm_v128_load(values);
}

void Multiply(const FloatProduct& product, const float* lhs, const float* rhs, float* output) {
  if (product.columns > kMaxSingleColumns || product.is_lhs_transposed) {
    // TFLite's kernel cannot fail here.
    if (!MultiplyByXnnpack(product, lhs, rhs, output)) std::abort();
    return;
  }
  for (int j = 0; j < product.columns; ++j) {
    MultiplyColumn(product, lhs, rhs + static_cast<ptrdiff_t>(j) * product.depth,
                   output + static_cast<ptrdiff_t>(j) * product.rows);
  }
}

template <typename Lhs, typename Rhs, typename Output>
void Multiply(const IntegerProduct& product, const Lhs* lhs, const Rhs* rhs, Output* output) {
  const int depth = product.depth;
  IntegerColumns right(product.rows, depth);
  right.Fill(lhs, depth, 1, product.lhs_zero_point);
  const ProductScales scales(product);
  // TFLite does not check the sizes of raw sums: the depth may be 0.
  const int block = std::min(product.columns, std::max(kLanes, kBlockSize / std::max(depth, 1)));
  for (int begin = 0; begin < product.columns; begin += block) {
    IntegerRows left(std::min(block, product.columns - begin), depth);
    left.Fill(rhs + static_cast<ptrdiff_t>(begin) * depth, depth, depth, 1, product.rhs_zero_point);
    MultiplyRows(left, right, scales, product.min, product.max, output + static_cast<ptrdiff_t>(begin) * product.rows);
  }
}

void AddProducts(const float* matrix, int rows, int depth, const float* vectors, int batch, float* result) {
  const int vector_depth = depth / 4 * 4;
  for (; batch > 0; --batch, vectors += depth, result += rows) {
    for (int i = 0; i < rows; i += kRows) {
      const float* row[kRows];
      v128_t sums[kRows];
      for (int n = 0; n < kRows; ++n) {
        row[n] = matrix + static_cast<size_t>(std::min(i + n, rows - 1)) * depth;
        sums[n] = wasm_f32x4_const_splat(0);
      }
      for (int k = 0; k < vector_depth; k += 4) {
        const v128_t values = wasm_v128_load(vectors + k);
        for (int n = 0; n < kRows; ++n) {
          sums[n] = wasm_f32x4_add(sums[n], wasm_f32x4_mul(wasm_v128_load(row[n] + k), values));
        }
      }
      for (int n = 0; n < std::min(kRows, rows - i); ++n) {
        float lanes[4];
        wasm_v128_store(lanes, sums[n]);
        float sum = result[i + n] + (lanes[0] + lanes[1] + lanes[2] + lanes[3]);
        for (int k = vector_depth; k < depth; ++k) sum += row[n][k] * vectors[k];
        result[i + n] = sum;
      }
    }
  }
}

template void Multiply(const IntegerProduct&, const uint8_t*, const uint8_t*, uint8_t*);
template void Multiply(const IntegerProduct&, const uint8_t*, const uint8_t*, int16_t*);
template void Multiply(const IntegerProduct&, const uint8_t*, const uint8_t*, int32_t*);
template void Multiply(const IntegerProduct&, const int8_t*, const int8_t*, int8_t*);
template void Multiply(const IntegerProduct&, const int8_t*, const int8_t*, int16_t*);
template void Multiply(const IntegerProduct&, const int8_t*, const int8_t*, int32_t*);
template void Multiply(const IntegerProduct&, const int8_t*, const int16_t*, int16_t*);
template void Multiply(const IntegerProduct&, const int8_t*, const int16_t*, int32_t*);

}  // namespace tflite::webnn
