#include "runtime/execute/node_profiler.h"

#include <utility>

namespace tflite::webnn {

uint32_t NodeProfiler::BeginEvent(const char* tag, EventType type, int64_t node_index, int64_t subgraph_index) {
  if (type != EventType::OPERATOR_INVOKE_EVENT || max_entries_ == 0) return 0;
  if (subgraph_index == skipped_subgraph_ && skipped_nodes_.count(node_index)) return 0;
  Append(tag, node_index, subgraph_index, 0);
  return first_handle_ + static_cast<uint32_t>(times_.size()) - 1;
}

void NodeProfiler::AddEvent(const char* tag, EventType type, uint64_t elapsed_us, int64_t operator_index,
                            int64_t subgraph_index) {
  if (type != EventType::DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT || max_entries_ == 0) return;
  Append(tag, /*node_index=*/-1, subgraph_index, static_cast<double>(elapsed_us) / 1000);
}

void NodeProfiler::Append(const char* op, int64_t node_index, int64_t subgraph_index, double ms) {
  if (times_.size() == max_entries_) {
    times_.pop_front();
    starts_.pop_front();
    ++first_handle_;
  }
  times_.push_back({op ? op : "", node_index, subgraph_index, ms});
  starts_.push_back(Clock::now());
}

void NodeProfiler::EndEvent(uint32_t handle) {
  if (handle < first_handle_ || handle - first_handle_ >= times_.size()) return;  // not a node's, or dropped
  const size_t position = handle - first_handle_;
  times_[position].ms = std::chrono::duration<double, std::milli>(Clock::now() - starts_[position]).count();
}

void NodeProfiler::Skip(std::set<int64_t> nodes, int64_t subgraph_index) {
  skipped_nodes_ = std::move(nodes);
  skipped_subgraph_ = subgraph_index;
}

void NodeProfiler::Clear() {
  first_handle_ += static_cast<uint32_t>(times_.size());
  times_.clear();
  starts_.clear();
}

}  // namespace tflite::webnn
