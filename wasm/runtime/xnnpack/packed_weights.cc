#include "runtime/xnnpack/packed_weights.h"

#include <cstdint>
#include <cstring>
#include <utility>

namespace tflite::webnn {
namespace {

// Of XNNPACK's memory for SIMD.
constexpr size_t kAlignment = 64;

PackedWeights& Of(void* context) { return *static_cast<PackedWeights*>(context); }

}  // namespace

// An offset is an address, so nothing moves and the cache is finished at any time.
PackedWeights::PackedWeights() : provider_{} {
  provider_.context = this;
  provider_.look_up = [](void*, const xnn_weights_cache_look_up_key*) -> size_t { return SIZE_MAX; };
  provider_.reserve_space = [](void* context, size_t size_bytes) { return Of(context).Reserve(size_bytes); };
  provider_.look_up_or_insert = [](void* context, const xnn_weights_cache_look_up_key*, void* packed,
                                   size_t size_bytes) {
    return reinterpret_cast<size_t>(Of(context).Insert(packed, size_bytes));
  };
  provider_.is_finalized = [](void*) { return true; };
  provider_.offset_to_addr = [](void*, size_t offset) { return reinterpret_cast<void*>(offset); };
  provider_.delete_cache = [](void*) { return xnn_status_success; };
}

void* PackedWeights::Reserve(size_t size_bytes) {
  reserved_.reset();
  reserved_.reset(aligned_alloc(kAlignment, (size_bytes + kAlignment - 1) / kAlignment * kAlignment));
  return reserved_.get();
}

void* PackedWeights::Insert(void* packed, size_t size_bytes) {
  for (const Weights& weights : weights_) {
    if (weights.size_bytes != size_bytes || memcmp(weights.memory.get(), packed, size_bytes) != 0) continue;
    reserved_.reset();
    return weights.memory.get();
  }
  weights_.push_back({std::move(reserved_), size_bytes});
  return packed;
}

}  // namespace tflite::webnn
