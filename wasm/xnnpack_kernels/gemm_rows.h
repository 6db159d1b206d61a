#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_GEMM_ROWS_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_GEMM_ROWS_H_

#include <algorithm>
#include <cstddef>

namespace tflite::webnn::kernels {

// The rows of a matrix.
template <typename Element>
struct MatrixRows {
  const Element* At(size_t, size_t row) const { return first + std::min(row, count - 1) * stride; }

  const Element* first;
  size_t stride;
  size_t count;
};

// The rows of a convolution: for each tap a pointer per row, where `zero` stands for padding.
template <int kRows, typename Element>
struct ConvolutionRows {
  const Element* At(size_t tap, size_t row) const {
    const Element* pointer = pointers[tap * kRows + row];
    return pointer == zero ? padding : pointer + offset;
  }

  const Element* const* pointers;
  size_t offset;
  const Element* zero;
  const Element* padding;
};

}  // namespace tflite::webnn::kernels

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_GEMM_ROWS_H_
