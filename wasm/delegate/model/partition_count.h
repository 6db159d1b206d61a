#ifndef TFLITE_WEBNN_DELEGATE_MODEL_PARTITION_COUNT_H_
#define TFLITE_WEBNN_DELEGATE_MODEL_PARTITION_COUNT_H_

#include <cstdint>
#include <vector>

namespace tflite::webnn {

// XNNPACK's delegate looks at all tensors of a graph for each partition, and WebNN gets a graph for each. A delegate
// gets no node where partitions times nodes are more.
inline constexpr int64_t kMaxPartitionedNodes = 20'000'000;

// How often a plan comes to nodes that the delegate accepts: the number of partitions, if none of them are joined.
template <typename Accepts>
int64_t CountPartitions(const std::vector<int>& plan, const Accepts& accepts) {
  int64_t count = 0;
  bool was_accepted = false;
  for (int node : plan) {
    const bool is_accepted = accepts(node);
    count += is_accepted && !was_accepted;
    was_accepted = is_accepted;
  }
  return count;
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_MODEL_PARTITION_COUNT_H_
