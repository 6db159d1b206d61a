#include "runtime/validate/flatbuffer.h"

#include <iterator>
#include <limits>
#include <utility>

#include "flatbuffers/verifier.h"
#include "runtime/validate/budget.h"
// Its tables take any verifier; those of the header in TensorFlow's sources only the usual one.
#include "tensorflow/compiler/mlir/lite/schema/mutable/schema_generated.h"

namespace tflite::webnn {
namespace {

struct Content {
  size_t end;
  bool is_vector;  // one was found
};

// What a verification looks at, as often as it does. It ends where a file has too much.
struct Counted {
  size_t file_size_bytes;
  // By starts, of which those stay that nothing else in the file overlaps.
  std::map<size_t, Content>* contents = nullptr;
  uint64_t bytes = 0;
  uint32_t tables = 0;

  bool IsOverBudget() const { return bytes > MaxContentBytes(file_size_bytes) || tables > kMaxTables; }
  bool Add(size_t start, size_t size_bytes);
};

// flatbuffers' verifier is final and has no room for it.
Counted* current = nullptr;

bool Counted::Add(size_t start, size_t size_bytes) {
  bytes += size_bytes;
  if (size_bytes == sizeof(flatbuffers::voffset_t)) ++tables;  // only the size of a table's vtable has two bytes
  if (IsOverBudget()) return false;
  if (contents == nullptr) return true;
  const size_t end = start + size_bytes;
  auto next = contents->lower_bound(end);
  while (next != contents->begin() && std::prev(next)->second.end > start) {
    --next;
    const bool is_its_vector = start + sizeof(flatbuffers::uoffset_t) == next->first && end == next->second.end;
    if (!is_its_vector || std::exchange(next->second.is_vector, true)) next = contents->erase(next);
  }
  return true;
}

}  // namespace
}  // namespace tflite::webnn

// A verification asks here about all bytes that it takes for a part of a table, vector or string.
template <>
bool flatbuffers::SizeVerifier::Verify(const size_t start, const size_t size_bytes) const {
  upper_bound_ = 1;  // anything but 0, which means a failure
  return size_bytes < size_ && start <= size_ - size_bytes && tflite::webnn::current->Add(start, size_bytes);
}

namespace tflite::webnn {
namespace {

bool Verifies(const uint8_t* buffer, Counted& counted) {
  flatbuffers::SizeVerifier::Options options;
  options.max_tables = std::numeric_limits<uint32_t>::max();  // counted here
  flatbuffers::SizeVerifier verifier(buffer, counted.file_size_bytes, options);
  current = &counted;
  return verifier.VerifyBuffer<Model>(ModelIdentifier());
}

}  // namespace

Status ValidateFlatbuffer(const uint8_t* buffer, size_t size_bytes) {
  Counted counted{size_bytes};
  if (Verifies(buffer, counted)) return {};
  if (!counted.IsOverBudget()) {
    return Malformed("the flatbuffer of ", size_bytes,
                     " bytes does not verify. The file is truncated or damaged; download it again");
  }
  return Malformed("it names content again and again: its first ", counted.tables, " tables have ", counted.bytes,
                   " bytes; a file of ", size_bytes, " bytes may have ", MaxContentBytes(size_bytes), ", in ",
                   kMaxTables, " tables");
}

void ForgetResults(uint8_t* buffer) {
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

void KeepUnshared(const uint8_t* buffer, size_t size_bytes, std::map<size_t, size_t>& contents) {
  std::map<size_t, Content> ends;
  for (const auto& [start, end] : contents) ends[start] = {end, /*is_vector=*/false};
  Counted counted{size_bytes, &ends};
  Verifies(buffer, counted);
  std::erase_if(contents, [&ends](const auto& content) { return !ends.contains(content.first); });
}

}  // namespace tflite::webnn
