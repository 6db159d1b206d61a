#ifndef TFLITE_WEBNN_DELEGATE_SPARSE_DATA_H_
#define TFLITE_WEBNN_DELEGATE_SPARSE_DATA_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// The dense bytes of a sparse tensor, zero where it stores nothing. Reads the format of TfLiteSparsity: levels
// in traversal order, each dense or compressed (CSR), block dimensions last. Empty if indices are outside of
// the shape or of the stored values, as in a damaged file.
std::optional<std::vector<uint8_t>> Densify(const TfLiteTensor& tensor, size_t element_size_bytes);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_SPARSE_DATA_H_
