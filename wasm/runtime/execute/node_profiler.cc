#include "runtime/execute/node_profiler.h"

#include <utility>

#include "support/json_writer.h"

namespace tflite::webnn {
namespace {

// The name of the node's first output tensor, which identifies nodes in tools. Delegates' operators have none.
std::string NodeName(const Interpreter& interpreter, const NodeTime& time) {
  if (time.node_index < 0) return time.op;
  const Subgraph* graph = interpreter.subgraph(static_cast<int>(time.subgraph_index));
  const auto* entry = graph ? graph->node_and_registration(static_cast<int>(time.node_index)) : nullptr;
  if (entry == nullptr || entry->first.outputs->size == 0) return "";
  const TfLiteTensor* output = graph->tensor(entry->first.outputs->data[0]);
  return output != nullptr && output->name != nullptr ? output->name : "";
}

}  // namespace

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

std::string DescribeTimes(const NodeProfiler& profiler, const Interpreter& interpreter) {
  JsonWriter json;
  json.BeginArray();
  for (const NodeTime& time : profiler.times()) {
    json.BeginObject();
    json.Field("op", time.op);
    json.Field("name", NodeName(interpreter, time));
    json.Field("node", time.node_index);
    json.Field("subgraph", time.subgraph_index);
    json.Field("ms", time.ms);
    json.EndObject();
  }
  json.EndArray();
  return json.Take();
}

}  // namespace tflite::webnn
