#include "runtime/validate/node_info.h"

namespace tflite::webnn {

int64_t ElementBits(TensorType type) {
  switch (type) {
    case TensorType_INT2:
      return 2;
    case TensorType_INT4:
      return 4;
    case TensorType_BOOL:
    case TensorType_INT8:
    case TensorType_UINT8:
      return 8;
    case TensorType_BFLOAT16:
    case TensorType_FLOAT16:
    case TensorType_INT16:
    case TensorType_UINT16:
      return 16;
    case TensorType_FLOAT32:
    case TensorType_INT32:
    case TensorType_UINT32:
      return 32;
    case TensorType_COMPLEX64:
    case TensorType_FLOAT64:
    case TensorType_INT64:
    case TensorType_UINT64:
      return 64;
    case TensorType_COMPLEX128:
      return 128;
    default:
      return 0;
  }
}

std::vector<int64_t> NodeInfo::ConstantIntegers(const Tensor& tensor) const {
  std::vector<int64_t> values;
  const bool is_int64 = tensor.type() == TensorType_INT64;
  if (!IsConstant(tensor) || (!is_int64 && tensor.type() != TensorType_INT32)) return values;
  const auto& bytes = *content(tensor);
  const size_t element_bytes = is_int64 ? sizeof(int64_t) : sizeof(int32_t);
  for (size_t i = 0; i + element_bytes <= bytes.size(); i += element_bytes) {
    int64_t wide = 0;
    int32_t narrow = 0;
    std::memcpy(is_int64 ? static_cast<void*>(&wide) : &narrow, bytes.data() + i, element_bytes);
    values.push_back(is_int64 ? wide : narrow);
  }
  return values;
}

}  // namespace tflite::webnn
