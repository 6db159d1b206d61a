#ifndef TFLITE_WEBNN_DELEGATE_CONSTANT_DATA_H_
#define TFLITE_WEBNN_DELEGATE_CONSTANT_DATA_H_

#include <cstdint>
#include <vector>

#include "delegate/data_type.h"
#include "tensorflow/lite/core/c/common.h"

// What is made of a model's constants while a graph is built, so that it need not be done on each run.
namespace tflite::webnn {

// The elements of a float16 tensor as float32. Exact.
std::vector<float> UnpackFloat16(const TfLiteTensor& tensor);

// The bytes of a tensor whose axis i is the source's axis permutation[i]. `data` has the source's layout.
std::vector<uint8_t> PermuteAxes(const OperandDescriptor& source, const std::vector<int>& permutation,
                                 const void* data);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_CONSTANT_DATA_H_
