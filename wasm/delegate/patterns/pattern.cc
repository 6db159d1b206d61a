#include "delegate/patterns/pattern.h"

#include <algorithm>

#include "tensorflow/lite/core/subgraph.h"

namespace tflite::webnn {

std::optional<OpView> NodeGroup::Writer(const TensorView& tensor, int builtin_code) {
  const int node_index = view_.Writer(tensor.index());
  if (node_index < 0 || tensor.IsConstant()) return std::nullopt;
  const OpView op = view_.op(node_index);
  if (op.builtin_code() != builtin_code || op.output_count() != 1) return std::nullopt;
  nodes_.push_back(node_index);
  return op;
}

TensorView NodeGroup::BeforeReshapes(TensorView tensor) {
  while (const auto reshape = Writer(tensor, kTfLiteBuiltinReshape)) tensor = reshape->input(0);
  return tensor;
}

bool NodeGroup::IsClosed() const {
  const std::vector<int> group = nodes();
  const auto& outputs = static_cast<const Subgraph*>(view_.context()->impl_)->outputs();
  const auto contains = [](const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  for (int node_index : group) {
    if (node_index == nodes_.front()) continue;
    const int tensor_index = view_.op(node_index).output(0).index();
    if (contains(outputs, tensor_index)) return false;
    for (int reader : view_.Consumers(tensor_index)) {
      if (!contains(group, reader)) return false;
    }
  }
  return true;
}

std::vector<int> NodeGroup::nodes() const {
  std::vector<int> sorted = nodes_;
  std::sort(sorted.begin() + 1, sorted.end());
  sorted.erase(std::unique(sorted.begin() + 1, sorted.end()), sorted.end());
  std::rotate(sorted.begin(), sorted.begin() + 1, sorted.end());
  return sorted;
}

PatternMatches FindPatterns(const GraphView& view) {
  PatternMatches matches;
  for (int node_index : view.nodes()) {
    const OpView op = view.op(node_index);
    for (const PatternEntry* row : kPatterns) {
      if (op.builtin_code() != row->last_op) continue;
      NodeGroup group(view, op);
      auto tensors = row->match(view, op, group);
      if (!tensors || !group.IsClosed()) continue;
      const PatternMatch match{row, group.nodes(), std::move(*tensors)};
      const bool is_free =
          std::none_of(match.nodes.begin(), match.nodes.end(), [&](int member) { return matches.count(member) > 0; });
      if (!is_free) continue;
      for (int member : match.nodes) matches[member] = match;
      break;
    }
  }
  return matches;
}

void LowerPattern(const PatternMatch& match, const GraphView& view, GraphBuilder& builder) {
  const OpView last = view.op(match.nodes.back());
  builder.BeginNode(last, QuantizedForm::kNone);
  builder.SetOutput(last, 0, match.row->lower(match.tensors, view, last, builder));
}

}  // namespace tflite::webnn
