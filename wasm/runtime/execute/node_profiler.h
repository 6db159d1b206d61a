#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_NODE_PROFILER_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_NODE_PROFILER_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <set>
#include <string>

#include "tensorflow/lite/core/api/profiler.h"

namespace tflite::webnn {

// The time of one run of a node, or of an operator in a delegate that measures its operators.
struct NodeTime {
  std::string op;
  int64_t node_index;  // -1 for an operator of a delegate
  int64_t subgraph_index;
  double ms;
};

// Collects the newest `max_entries` times of nodes, in the order in which the nodes began.
class NodeProfiler : public Profiler {
 public:
  explicit NodeProfiler(size_t max_entries) : max_entries_(max_entries) {}

  using Profiler::BeginEvent;
  uint32_t BeginEvent(const char* tag, EventType type, int64_t node_index, int64_t subgraph_index) override;
  void EndEvent(uint32_t handle) override;
  using Profiler::AddEvent;
  void AddEvent(const char* tag, EventType type, uint64_t elapsed_us, int64_t operator_index,
                int64_t subgraph_index) override;

  const std::deque<NodeTime>& times() const { return times_; }
  void Clear();
  // Takes no times of these nodes from now on.
  void Skip(std::set<int64_t> nodes, int64_t subgraph_index);

 private:
  using Clock = std::chrono::steady_clock;

  void Append(const char* op, int64_t node_index, int64_t subgraph_index, double ms);

  const size_t max_entries_;
  std::deque<NodeTime> times_;
  std::deque<Clock::time_point> starts_;
  // Handle of times_.front(). 0 is reserved for events that do not belong to nodes.
  uint32_t first_handle_ = 1;
  std::set<int64_t> skipped_nodes_;
  int64_t skipped_subgraph_ = -1;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_NODE_PROFILER_H_
