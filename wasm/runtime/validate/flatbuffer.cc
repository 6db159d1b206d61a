#include "runtime/validate/flatbuffer.h"

#include "runtime/validate/budget.h"
// Its tables can be changed; those of the header in TensorFlow's sources cannot.
#include "tensorflow/compiler/mlir/lite/schema/mutable/schema_generated.h"

namespace tflite::webnn {

Status ValidateFlatbuffer(const uint8_t* buffer, size_t size_bytes) {
  flatbuffers::Verifier::Options options;
  options.max_tables = kMaxTables;
  flatbuffers::Verifier verifier(buffer, size_bytes, options);
  if (VerifyModelBuffer(verifier)) return {};
  return Malformed("the flatbuffer of ", size_bytes,
                   " bytes does not verify. The file is truncated or damaged, or names more than ", kMaxTables,
                   " tables; download it again");
}

void ClearResults(uint8_t* buffer) {
  auto* subgraphs = GetMutableModel(buffer)->mutable_subgraphs();
  for (flatbuffers::uoffset_t i = 0; subgraphs != nullptr && i < subgraphs->size(); ++i) {
    auto* tensors = subgraphs->GetMutableObject(i)->mutable_tensors();
    const auto* nodes = subgraphs->Get(i)->operators();
    for (flatbuffers::uoffset_t j = 0; tensors != nullptr && nodes != nullptr && j < nodes->size(); ++j) {
      const auto* outputs = nodes->Get(j)->outputs();
      for (flatbuffers::uoffset_t k = 0; outputs != nullptr && k < outputs->size(); ++k) {
        const auto index = static_cast<uint32_t>(outputs->Get(k));  // negative or too large: an error later
        if (index < tensors->size()) tensors->GetMutableObject(index)->mutate_buffer(0);
      }
    }
  }
}

}  // namespace tflite::webnn
