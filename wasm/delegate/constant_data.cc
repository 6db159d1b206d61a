#include "delegate/constant_data.h"

#include <cstring>

#include "fp16.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {

std::vector<float> UnpackFloat16(const TfLiteTensor& tensor) {
  const auto* halves = reinterpret_cast<const uint16_t*>(tensor.data.raw_const);
  std::vector<float> floats(NumElements(&tensor));
  for (size_t i = 0; i < floats.size(); ++i) floats[i] = fp16_ieee_to_fp32_value(halves[i]);
  return floats;
}

std::vector<uint8_t> PermuteAxes(const OperandDescriptor& source, const std::vector<int>& permutation,
                                 const void* data) {
  const size_t element_size_bytes = DataTypeSizeBytes(source.data_type);
  const int rank = source.rank();
  std::vector<size_t> source_strides(rank, 1);
  for (int axis = rank - 2; axis >= 0; --axis) {
    source_strides[axis] = source_strides[axis + 1] * source.shape[axis + 1];
  }
  std::vector<uint8_t> result(source.size_bytes());
  std::vector<int> position(rank, 0);  // in the result
  for (size_t at = 0; at < result.size(); at += element_size_bytes) {
    size_t offset = 0;
    for (int axis = 0; axis < rank; ++axis) offset += position[axis] * source_strides[permutation[axis]];
    std::memcpy(&result[at], static_cast<const uint8_t*>(data) + offset * element_size_bytes, element_size_bytes);
    for (int axis = rank - 1; axis >= 0 && ++position[axis] == source.shape[permutation[axis]]; --axis) {
      position[axis] = 0;
    }
  }
  return result;
}

}  // namespace tflite::webnn
