#ifndef TFLITE_WEBNN_DELEGATE_CONSTANTS_SPARSE_DATA_H_
#define TFLITE_WEBNN_DELEGATE_CONSTANTS_SPARSE_DATA_H_

#include <cstdint>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// Whether all indices of a sparse tensor are inside of its shape and of the stored values, unlike in a damaged file.
bool IsSparseAndSound(const TfLiteTensor& tensor, size_t element_size_bytes);

// The dense bytes of a sound sparse tensor, with elements of 1, 2, 4 or 8 bytes.
std::vector<uint8_t> Densify(const TfLiteTensor& tensor, size_t element_size_bytes);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_CONSTANTS_SPARSE_DATA_H_
