#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "runtime/validate/budget.h"
#include "runtime/validate/graph.h"
#include "runtime/validate/node_info.h"
#include "runtime/validate/validate.h"

namespace tflite::webnn {
namespace {

// A call takes stack, and the caller prepares what it calls, twice with a delegate.
constexpr int kDeepestCall = 12;

using Indices = std::set<int64_t>;

// The branches of a STABLEHLO_CASE are all subgraphs but the main one for its kernel, whatever its options name: with
// fewer, ValidateCase() rejects it.
Indices Branches(const Model& model, const StablehloCaseOptions* options) {
  Indices branches;
  const int64_t count = SizeOf(model.subgraphs());
  if (options == nullptr || SizeOf(options->branch_subgraph_indices()) < count - 1) return branches;
  for (int64_t i = 1; i < count; ++i) branches.insert(i);
  return branches;
}

// The subgraphs that a node calls. TensorFlow Lite reads missing options as zeros.
Indices CalledBy(const Model& model, const NodeInfo& info) {
  const Operator& node = info.node();
  switch (info.op()) {
    case BuiltinOperator_CALL_ONCE: {
      const CallOnceOptions* options = node.builtin_options_as_CallOnceOptions();
      return {options ? options->init_subgraph_index() : 0};
    }
    case BuiltinOperator_IF: {
      const IfOptions* options = node.builtin_options_as_IfOptions();
      return {options ? options->then_subgraph_index() : 0, options ? options->else_subgraph_index() : 0};
    }
    case BuiltinOperator_WHILE: {
      const WhileOptions* options = node.builtin_options_as_WhileOptions();
      return {options ? options->cond_subgraph_index() : 0, options ? options->body_subgraph_index() : 0};
    }
    case BuiltinOperator_STABLEHLO_COMPOSITE: {
      const StableHLOCompositeOptions* options = node.builtin_options_2_as_StableHLOCompositeOptions();
      return {options ? options->decomposition_subgraph_index() : 0};
    }
    case BuiltinOperator_STABLEHLO_CASE:
      return Branches(model, node.builtin_options_2_as_StablehloCaseOptions());
    default:
      return {};
  }
}

// The subgraphs that a subgraph's nodes call and take the memory of inputs from.
Indices CalledSubgraphs(const Model& model, const SubGraph& subgraph) {
  Indices all;
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const NodeInfo node(model, subgraph, *subgraph.operators()->Get(i));
    if (node.op() == BuiltinOperator_CALL_ONCE) continue;
    all.merge(CalledBy(model, node));
  }
  return all;
}

Indices CalledSubgraphs(const Model& model) {
  Indices all;
  for (const SubGraph* subgraph : *model.subgraphs()) all.merge(CalledSubgraphs(model, *subgraph));
  return all;
}

// Whether a subgraph is the condition of a WHILE.
bool IsCondition(const NodeInfo& info, int64_t index) {
  if (info.op() != BuiltinOperator_WHILE) return false;
  const WhileOptions* options = info.node().builtin_options_as_WhileOptions();
  return index == (options ? options->cond_subgraph_index() : 0);
}

bool HasUnreadInput(const SubGraph& subgraph) {
  std::set<int32_t> unread;
  for (int64_t i = 0; i < SizeOf(subgraph.inputs()); ++i) unread.insert(subgraph.inputs()->Get(i));
  for (int64_t i = 0; i < SizeOf(subgraph.outputs()); ++i) unread.erase(subgraph.outputs()->Get(i));
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& node = *subgraph.operators()->Get(i);
    for (int64_t j = 0; j < SizeOf(node.inputs()); ++j) unread.erase(node.inputs()->Get(j));
  }
  return !unread.empty();
}

// The kernel reads as many branches as there are subgraphs, and the first of them unchecked.
Status ValidateCase(const Model& model, const NodeInfo& info) {
  const StablehloCaseOptions* options = info.node().builtin_options_2_as_StablehloCaseOptions();
  if (options == nullptr) return {};  // the parser rejects it
  const int64_t count = SizeOf(model.subgraphs());
  const auto* branches = options->branch_subgraph_indices();
  if (SizeOf(branches) < count - 1) {
    return Malformed("has ", SizeOf(branches), " branches; its kernel calls all ", count - 1, " subgraphs");
  }
  for (int64_t i = 0; i < SizeOf(branches); ++i) {
    const int32_t branch = branches->Get(i);
    if (branch < 1 || branch >= count) return Malformed("has the branch ", branch, ", which is no subgraph");
  }
  return {};
}

std::string TypeName(const Tensor& tensor) { return EnumNameTensorType(tensor.type()); }

// Kernels let a subgraph's inputs, and a node's results, take the types of the other: then other checks were of
// types that the tensors do not have.
Status ValidateTypes(const NodeInfo& info, const SubGraph& called, int first_input, bool has_results) {
  const int64_t input_count = std::min<int64_t>(SizeOf(called.inputs()), info.input_count());
  for (int64_t i = 0; i < input_count; ++i) {
    const Tensor* provided = info.input(first_input + static_cast<int>(i));
    const Tensor& taken = *called.tensors()->Get(called.inputs()->Get(i));
    if (provided == nullptr || provided->type() == taken.type()) continue;
    return Malformed("passes it an input of type ", TypeName(*provided), " that is ", TypeName(taken), " there");
  }
  const int64_t output_count = std::min<int64_t>(SizeOf(called.outputs()), info.output_count());
  for (int64_t i = 0; has_results && i < output_count; ++i) {
    const Tensor* taken = info.output(static_cast<int>(i));
    const Tensor& provided = *called.tensors()->Get(called.outputs()->Get(i));
    if (taken == nullptr || provided.type() == taken->type()) continue;
    return Malformed("expects a result of type ", TypeName(*taken), " that is ", TypeName(provided), " there");
  }
  return {};
}

class CallWalk {
 public:
  explicit CallWalk(const Model& model)
      : model_(model), subgraphs_(SizeOf(model.subgraphs())), entries_(EntrySubgraphs(model)) {}

  Status Validate() {
    for (size_t i = 0; i < subgraphs_.size() && status_.ok(); ++i) Visit(static_cast<int64_t>(i), 0);
    return std::move(status_);
  }

 private:
  struct Calls {
    bool is_open = false;  // it is being visited
    bool is_known = false;
    int depth = 0;      // of calls below it
    int64_t parts = 0;  // nodes and tensors that its calls prepare
  };

  void Visit(int64_t index, int depth) {
    Calls& caller = subgraphs_[index];
    if (caller.is_known) return;
    caller.is_open = true;
    const SubGraph& subgraph = *model_.subgraphs()->Get(index);
    for (int64_t i = 0; i < SizeOf(subgraph.operators()) && status_.ok(); ++i) {
      const NodeInfo node(model_, subgraph, *subgraph.operators()->Get(i));
      if (Status status = ValidateNode(node, caller, depth); !status.ok()) {
        status_ = std::move(status).WithPrefix("node ", i, " (", node.op_name(), ") of subgraph ", index, " ");
      }
    }
    caller.is_open = false;
    caller.is_known = true;
  }

  Status ValidateNode(const NodeInfo& node, Calls& caller, int depth) {
    const Indices called_subgraphs = CalledBy(model_, node);
    for (int64_t index : called_subgraphs) {
      if (!Exists(index)) continue;
      const std::string what = "calls subgraph " + std::to_string(index);
      if (subgraphs_[index].is_open) return Malformed(what, " recursively");
      if (node.op() == BuiltinOperator_STABLEHLO_CASE && entries_.count(index) > 0) {
        return Malformed(what, ", a signature's, and takes its inputs");
      }
      if (depth < kDeepestCall) Visit(index, depth + 1);
      if (!status_.ok()) return {};
      const Calls& called = subgraphs_[index];
      caller.depth = std::max(caller.depth, called.depth + 1);
      if (caller.depth > kDeepestCall || !called.is_known) {
        return Malformed(what, ", more than ", kDeepestCall, " calls deep");
      }
      const SubGraph& subgraph = *model_.subgraphs()->Get(index);
      const bool has_selector = node.op() == BuiltinOperator_IF || node.op() == BuiltinOperator_STABLEHLO_CASE;
      Status status = ValidateTypes(node, subgraph, has_selector ? 1 : 0, !IsCondition(node, index));
      if (!status.ok()) return std::move(status).WithPrefix(what, " and ");
      const int64_t parts = (node.op() == BuiltinOperator_STABLEHLO_COMPOSITE ? 1 : 2) *
                            (1 + SizeOf(subgraph.operators()) + SizeOf(subgraph.tensors()) + called.parts);
      caller.parts += parts;
      parts_ += parts;
      if (parts_ > kMaxCalledParts) {
        return Malformed(what, ", and calls so far prepare ", parts_, " nodes and tensors; at most ", kMaxCalledParts,
                         " can be");
      }
    }
    if (node.op() != BuiltinOperator_STABLEHLO_CASE) return {};
    // The kernel shortens all subgraphs, and all others are its branches.
    if (!has_unread_input_) has_unread_input_ = HasUnreadInput(*model_.subgraphs()->Get(0));
    if (*has_unread_input_) return Malformed("removes an input that none of its nodes reads from the main subgraph");
    return ValidateCase(model_, node);
  }

  bool Exists(int64_t index) const { return index >= 0 && index < static_cast<int64_t>(subgraphs_.size()); }

  const Model& model_;
  std::vector<Calls> subgraphs_;
  const Indices entries_;
  std::optional<bool> has_unread_input_;  // of the main subgraph
  int64_t parts_ = 0;                     // that all calls prepare
  Status status_;
};

}  // namespace

std::set<int64_t> RunnableOpCodes(const Model& model, int64_t subgraph_index) {
  std::vector<int64_t> waiting = {subgraph_index};
  std::set<int64_t> codes;
  Indices seen;
  while (!waiting.empty()) {
    const int64_t index = waiting.back();
    waiting.pop_back();
    if (index < 0 || index >= SizeOf(model.subgraphs()) || !seen.insert(index).second) continue;
    const SubGraph& subgraph = *model.subgraphs()->Get(index);
    for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
      const Operator& node = *subgraph.operators()->Get(i);
      if (node.opcode_index() >= SizeOf(model.operator_codes())) continue;
      codes.insert(node.opcode_index());
      const Indices called = CalledBy(model, NodeInfo(model, subgraph, node));
      waiting.insert(waiting.end(), called.begin(), called.end());
    }
  }
  return codes;
}

std::set<int64_t> EntrySubgraphs(const Model& model) {
  std::set<int64_t> entries = {0};
  for (int64_t i = 0; i < SizeOf(model.signature_defs()); ++i) {
    entries.insert(model.signature_defs()->Get(i)->subgraph_index());
  }
  return entries;
}

bool CallsSignatures(const Model& model) {
  const Indices called = CalledSubgraphs(model);
  const Indices entries = EntrySubgraphs(model);
  return std::any_of(entries.begin(), entries.end(), [&](int64_t entry) { return called.contains(entry); });
}

bool SharesInputs(const Model& model, int64_t subgraph_index) {
  if (CalledSubgraphs(model).contains(subgraph_index)) return true;
  const Indices entries = EntrySubgraphs(model);
  std::vector<int64_t> waiting = {subgraph_index};
  Indices seen;
  while (!waiting.empty()) {
    const int64_t index = waiting.back();
    waiting.pop_back();
    if (index < 0 || index >= SizeOf(model.subgraphs()) || !seen.insert(index).second) continue;
    for (int64_t called : CalledSubgraphs(model, *model.subgraphs()->Get(index))) {
      if (entries.count(called) > 0) return true;
      waiting.push_back(called);
    }
  }
  return false;
}

Status ValidateCalls(const Model& model) { return CallWalk(model).Validate(); }

}  // namespace tflite::webnn
