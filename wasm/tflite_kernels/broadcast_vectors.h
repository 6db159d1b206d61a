#ifndef TFLITE_WEBNN_TFLITE_KERNELS_BROADCAST_VECTORS_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_BROADCAST_VECTORS_H_

#include <wasm_simd128.h>

#include <algorithm>

#include "support/check.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "third_party/compat/include/broadcast_elements.h"

// Functions of two broadcast tensors, computed by vectors.
namespace tflite::webnn {

inline constexpr int kVectorElements = 16;

template <typename T>
using Vector = T __attribute__((vector_size(16)));

template <typename T>
Vector<T> LoadVector(const T* source) {
  return reinterpret_cast<Vector<T>>(wasm_v128_load(source));
}

// An input's part of a row, to be read 16 elements at a time: one element that serves all is repeated.
template <typename T>
class RowOperand {
 public:
  RowOperand(const T* elements, int step) : elements_(step == 0 ? repeated_ : elements), index_mask_(-step) {
    WEBNN_DCHECK(step == 0 || step == 1);
    if (step == 0) std::fill_n(repeated_, kVectorElements, *elements);
  }
  RowOperand(const RowOperand&) = delete;
  RowOperand& operator=(const RowOperand&) = delete;

  const T* At(int i) const { return elements_ + (i & index_mask_); }

 private:
  const T* elements_;
  int index_mask_;
  T repeated_[kVectorElements];
};

// Computes a row of the output from the inputs' tensors.
using RowFunction = void(const BroadcastRow& row, const char* input1, const char* input2, char* output);

inline TfLiteStatus ComputeRows(RowFunction* function, const TfLiteTensor* input1, const TfLiteTensor* input2,
                                TfLiteTensor* output) {
  ForEachBroadcastRow(GetTensorShape(input1), GetTensorShape(input2), GetTensorShape(output),
                      [&](const BroadcastRow& row) {
                        function(row, input1->data.raw_const, input2->data.raw_const, output->data.raw);
                      });
  return kTfLiteOk;
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_BROADCAST_VECTORS_H_
