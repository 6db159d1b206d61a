#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_BUDGET_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_BUDGET_H_

#include <cstddef>
#include <cstdint>

#include "support/status.h"
#include "third_party/compat/include/load_budget.h"

namespace tflite {
struct Model;
}

namespace tflite::webnn {

// A file names a table, tensor or subgraph again for four bytes. These limits bound the memory and the time that it
// takes to load; converters' files have at most 1.6 times their size.
inline constexpr uint64_t kMaxContentPerByte = 4;
inline constexpr uint32_t kMaxTables = 2'000'000;
inline constexpr uint32_t kMaxSubgraphs = 10'000;
// TensorFlow Lite looks for each among all.
inline constexpr uint32_t kMaxSignatures = 1'000;
// Nodes and tensors that calls of subgraphs prepare.
inline constexpr int64_t kMaxCalledParts = 500'000;
// NumPy's; kernels have far lower ones.
inline constexpr int kMaxRank = 64;

inline uint64_t MaxContentBytes(size_t file_size_bytes) { return kMaxContentPerByte * file_size_bytes; }

// Rejects a verified flatbuffer that names tables, vectors and strings again and again, that has too many subgraphs or
// signatures, or whose nodes, subgraphs and metadata name too much by index: names, shapes and scales of tensors, and
// buffers. Indices may be out of range.
Status ValidateBudget(const Model& model, size_t file_size_bytes);

// Says what was too much in a load that failed, if anything was.
Status ValidateLoad(const LoadScope& scope);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_BUDGET_H_
