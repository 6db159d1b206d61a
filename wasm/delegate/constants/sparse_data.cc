#include "delegate/constants/sparse_data.h"

#include "tensorflow/lite/kernels/kernel_util.h"
#include "third_party/compat/include/sparse_elements.h"

namespace tflite::webnn {

bool IsSparseAndSound(const TfLiteTensor& tensor, size_t element_size_bytes) {
  return SparseWalk(tensor.dims->data, tensor.dims->size, tensor, element_size_bytes, nullptr).Run();
}

std::vector<uint8_t> Densify(const TfLiteTensor& tensor, size_t element_size_bytes) {
  const size_t count = NumElements(&tensor);
  std::vector<uint8_t> dense(count * element_size_bytes);
  StoreDense(tensor.dims->data, tensor.dims->size, tensor, element_size_bytes, dense.data(), count);
  return dense;
}

}  // namespace tflite::webnn
