#include "delegate/constants/sparse_data.h"
#include "runtime/validate/validate.h"
#include "tensorflow/lite/util.h"

namespace tflite::webnn {
namespace {

bool IsBroken(const TfLiteTensor& tensor) {
  size_t element_size_bytes = 0;
  const bool is_sparse_constant =
      tensor.sparsity != nullptr && tensor.allocation_type == kTfLiteMmapRo && tensor.data.raw != nullptr;
  if (!is_sparse_constant || GetSizeOfType(nullptr, tensor.type, &element_size_bytes) != kTfLiteOk) return false;
  return !IsSparseAndSound(tensor, element_size_bytes);
}

}  // namespace

Status ValidateSparsity(const Interpreter& interpreter) {
  for (int i = 0; i < static_cast<int>(interpreter.subgraphs_size()); ++i) {
    const Subgraph& graph = *interpreter.subgraph(i);
    for (int j = 0; j < static_cast<int>(graph.tensors_size()); ++j) {
      if (!IsBroken(*graph.tensor(j))) continue;
      return Malformed("malformed TensorFlow Lite model: tensor ", j, " of subgraph ", i,
                       " has sparse indices that do not fit its shape or content");
    }
  }
  return {};
}

}  // namespace tflite::webnn
