#include "runner/flatbuffer_check.h"

#include <iterator>
#include <limits>
#include <utility>

#include "flatbuffers/verifier.h"
#include "runner/budget.h"
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
uint64_t verified_bytes = 0;
uint32_t verified_tables = 0;

bool IsOverBudget(size_t file_size_bytes) {
  return verified_bytes > MaxContentBytes(file_size_bytes) || verified_tables > kMaxTables;
}

}  // namespace
}  // namespace tflite::webnn

// A verification asks here about all bytes that it takes for a part of a table, vector or string.
template <>
bool flatbuffers::VerifierTemplate<true>::Verify(const size_t start, const size_t size_bytes) const {
  using namespace tflite::webnn;
  upper_bound_ = 1;  // anything but 0, which means a failure
  if (size_bytes >= size_ || start > size_ - size_bytes) return false;
  verified_bytes += size_bytes;
  if (size_bytes == sizeof(voffset_t)) ++verified_tables;  // only the size of a table's vtable has two bytes
  if (IsOverBudget(size_)) return false;
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

std::string FlatbufferProblem(const uint8_t* buffer, size_t size_bytes) {
  verified_bytes = verified_tables = 0;
  flatbuffers::SizeVerifier::Options options;
  options.max_tables = std::numeric_limits<uint32_t>::max();  // counted here
  flatbuffers::SizeVerifier verifier(buffer, size_bytes, options);
  if (verifier.VerifyBuffer<Model>(ModelIdentifier())) return "";
  const std::string size_text = std::to_string(size_bytes) + " bytes";
  if (!IsOverBudget(size_bytes)) {
    return "the flatbuffer of " + size_text + " does not verify. The file is truncated or damaged; download it again";
  }
  return "it names content again and again: its first " + std::to_string(verified_tables) + " tables have " +
         std::to_string(verified_bytes) + " bytes; a file of " + size_text + " may have " +
         std::to_string(MaxContentBytes(size_bytes)) + ", in " + std::to_string(kMaxTables) + " tables";
}

void KeepUnshared(const uint8_t* buffer, size_t size_bytes, std::map<size_t, size_t>& contents) {
  std::map<size_t, Content> ends;
  for (const auto& [start, end] : contents) ends[start] = {end, /*is_vector=*/false};
  watched = &ends;
  FlatbufferProblem(buffer, size_bytes);
  watched = nullptr;
  std::erase_if(contents, [&ends](const auto& content) { return !ends.contains(content.first); });
}

}  // namespace tflite::webnn
