#ifndef TFLITE_WEBNN_COMPAT_LOAD_BUDGET_H_
#define TFLITE_WEBNN_COMPAT_LOAD_BUDGET_H_

#include <cstddef>
#include <cstdint>

// What TensorFlow Lite may spend while a model is loaded or resized: a file of 600 bytes can name a constant of 2 GB
// that kernels compute before the first run, and the memory planner compares each tensor with all others.
namespace tflite::webnn {

struct LoadBudget {
  uint64_t left;
  bool is_exceeded = false;

  bool Spend(uint64_t amount) {
    is_exceeded = is_exceeded || amount > left;
    if (is_exceeded) return false;
    left -= amount;
    return true;
  }
};

// Bytes of tensors that kernels compute while they prepare.
inline constexpr uint64_t kMaxComputedBytes = uint64_t{64} << 20;
// Pairs of tensors that the memory planner compares: those of 14,000 nodes in one graph.
inline constexpr uint64_t kMaxPlannedPairs = 100'000'000;
// Bytes of one tensor in wasm, in a load and in a run: 600 bytes of a file took 3.6 GB and seconds to write.
inline constexpr size_t kMaxTensorBytes = size_t{1} << 30;

// Limits what TensorFlow Lite prepares in a scope; outside of one, e.g. in a run, nothing is counted.
class LoadScope {
 public:
  LoadScope() : outer_(current) { current = outer_ == nullptr ? this : outer_; }
  ~LoadScope() { current = outer_; }
  LoadScope(const LoadScope&) = delete;
  LoadScope& operator=(const LoadScope&) = delete;

  bool ComputesTooMuch() const { return computed_bytes_.is_exceeded; }
  bool PlansTooMuch() const { return planned_pairs_.is_exceeded; }

  static bool SpendBytes(uint64_t amount) { return current == nullptr || current->computed_bytes_.Spend(amount); }
  // Those of tensors that are planned together, before they are.
  static bool SpendPairs(uint64_t tensors) {
    return current == nullptr || current->planned_pairs_.Spend(tensors * tensors / 2);
  }

 private:
  static inline LoadScope* current = nullptr;
  LoadScope* outer_;
  LoadBudget computed_bytes_{kMaxComputedBytes};
  LoadBudget planned_pairs_{kMaxPlannedPairs};
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_LOAD_BUDGET_H_
