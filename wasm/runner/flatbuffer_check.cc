#include "runner/flatbuffer_check.h"

#include <iterator>
#include <utility>

#include "flatbuffers/verifier.h"
// Its tables take any verifier; those of the header in TensorFlow's sources only the usual one.
#include "tensorflow/compiler/mlir/lite/schema/mutable/schema_generated.h"

namespace tflite::webnn {
namespace {

struct Content {
  size_t end;
  bool is_vector;  // one was found
};
// What KeepUnshared() looks at, by starts.
std::map<size_t, Content>* watched = nullptr;

}  // namespace
}  // namespace tflite::webnn

// A verification asks here about all bytes that it takes for a part of a table, vector or string.
template <>
bool flatbuffers::VerifierTemplate<true>::Verify(const size_t start, const size_t size_bytes) const {
  using tflite::webnn::watched;
  upper_bound_ = 1;  // anything but 0, which means a failure
  if (size_bytes >= size_ || start > size_ - size_bytes) return false;
  if (watched == nullptr) return true;
  const size_t end = start + size_bytes;
  auto next = watched->lower_bound(end);
  while (next != watched->begin() && std::prev(next)->second.end > start) {
    --next;
    const bool is_its_vector = start + sizeof(uoffset_t) == next->first && end == next->second.end;
    if (!is_its_vector || std::exchange(next->second.is_vector, true)) next = watched->erase(next);
  }
  return true;
}

namespace tflite::webnn {

bool IsWholeFlatbuffer(const uint8_t* buffer, size_t size_bytes) {
  flatbuffers::SizeVerifier verifier(buffer, size_bytes);
  return verifier.VerifyBuffer<Model>(ModelIdentifier());
}

void KeepUnshared(const uint8_t* buffer, size_t size_bytes, std::map<size_t, size_t>& contents) {
  std::map<size_t, Content> ends;
  for (const auto& [start, end] : contents) ends[start] = {end, /*is_vector=*/false};
  watched = &ends;
  IsWholeFlatbuffer(buffer, size_bytes);
  watched = nullptr;
  std::erase_if(contents, [&ends](const auto& content) { return !ends.contains(content.first); });
}

}  // namespace tflite::webnn
