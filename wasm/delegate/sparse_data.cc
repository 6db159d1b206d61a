#include "delegate/sparse_data.h"

#include "compat/include/sparse_elements.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

template <typename T>
std::vector<uint8_t> DenseBytes(const TfLiteTensor& tensor) {
  const size_t count = NumElements(&tensor);
  std::vector<uint8_t> dense(count * sizeof(T));
  StoreDense(tensor.dims->data, tensor.dims->size, *tensor.sparsity, reinterpret_cast<const T*>(tensor.data.raw_const),
             tensor.bytes / sizeof(T), reinterpret_cast<T*>(dense.data()), count);
  return dense;
}

}  // namespace

bool IsSparseAndSound(const TfLiteTensor& tensor, size_t element_size_bytes) {
  size_t unread = tensor.bytes / element_size_bytes;
  const auto count = [&unread](int64_t) { return unread-- > 0; };
  return SparseWalk<decltype(count)>(tensor.dims->data, tensor.dims->size, *tensor.sparsity, count).Run();
}

std::vector<uint8_t> Densify(const TfLiteTensor& tensor, size_t element_size_bytes) {
  switch (element_size_bytes) {
    case 1:
      return DenseBytes<uint8_t>(tensor);
    case 2:
      return DenseBytes<uint16_t>(tensor);
    case 4:
      return DenseBytes<uint32_t>(tensor);
    default:
      return DenseBytes<uint64_t>(tensor);
  }
}

}  // namespace tflite::webnn
