#ifndef TFLITE_WEBNN_COMPAT_MATRIX_PRODUCTS_H_
#define TFLITE_WEBNN_COMPAT_MATRIX_PRODUCTS_H_

#include <cstdint>

// The products of matrices in TFLite's kernels, for which ruy has only scalar code in WebAssembly.
namespace tflite::webnn {

// output [columns, rows] = rhs [columns, depth] * lhs [rows, depth], which may be stored as [depth, rows]; plus a bias
// for each row unless it is null, clamped.
struct FloatProduct {
  int rows, depth, columns;
  bool is_lhs_transposed;
  const float* bias;
  float min, max;
};

void Multiply(const FloatProduct& product, const float* lhs, const float* rhs, float* output);

// result [batch, rows] += vectors [batch, depth] * matrix [rows, depth], with the bits of TFLite's NEON function, which
// native TFLite uses on Arm and x86.
void AddProducts(const float* matrix, int rows, int depth, const float* vectors, int batch, float* result);

// A FloatProduct of integers less zero points. Sums wrap around in 32 bits. Unless multipliers are null, they are
// scaled as by ruy: rounded once, half up.
struct IntegerProduct {
  int rows, depth, columns;
  int32_t lhs_zero_point, rhs_zero_point, output_zero_point;
  const int32_t* bias;
  // One for each row, or one for all.
  const int32_t* multipliers;
  const int* exponents;
  bool is_per_row;
  int32_t min, max;
};

template <typename Lhs, typename Rhs, typename Output>
void Multiply(const IntegerProduct& product, const Lhs* lhs, const Rhs* rhs, Output* output);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_MATRIX_PRODUCTS_H_
