#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "runtime/rewrite/rewrites.h"
#include "runtime/rewrite/subgraph_copy.h"
#include "runtime/validate/node_info.h"
#include "support/elements.h"
#include "support/status.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

// Engines take minutes to build graphs of many more nodes, and pack the weights of each iteration.
constexpr int kMaxIterations = 64;
constexpr int kMaxNodes = 4096;
constexpr char kTooManyNodes[] = "the iterations of the graph's loops have more than 4096 nodes";
constexpr int64_t kMaxEvaluatedNodes = 100'000;  // to count the iterations of all loops
constexpr size_t kMaxWeightBytes = size_t{64} << 20;

using Number = std::optional<int64_t>;  // of a scalar integer or boolean; empty if not known

Number NumberOf(const TfLiteTensor& tensor) {
  if (tensor.allocation_type != kTfLiteMmapRo || tensor.data.raw == nullptr || NumElements(&tensor) != 1) return {};
  if (tensor.type == kTfLiteInt32) return ElementAt<int32_t>(tensor.data.raw_const, 0);
  if (tensor.type == kTfLiteInt64) return ElementAt<int64_t>(tensor.data.raw_const, 0);
  return {};
}

// Whether an ADD or SUB changes its sum.
bool HasActivation(const TfLiteNode& node, int builtin_code) {
  if (node.builtin_data == nullptr) return true;
  const auto activation = builtin_code == kTfLiteBuiltinAdd
                              ? static_cast<const TfLiteAddParams*>(node.builtin_data)->activation
                              : static_cast<const TfLiteSubParams*>(node.builtin_data)->activation;
  return activation != kTfLiteActNone;
}

// As the kernels of int32 and int64 compute; unknown for other types.
Number Wrapped(uint64_t sum, TfLiteType type) {
  if (type == kTfLiteInt32) return static_cast<int32_t>(sum);
  if (type == kTfLiteInt64) return static_cast<int64_t>(sum);
  return {};
}

Number Compute(const TfLiteNode& node, int builtin_code, TfLiteType type, const std::vector<int64_t>& inputs) {
  if (builtin_code == kTfLiteBuiltinLogicalNot && inputs.size() == 1) return !inputs[0];
  if (inputs.size() != 2) return {};
  const int64_t a = inputs[0], b = inputs[1];
  switch (builtin_code) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinSub: {
      if (HasActivation(node, builtin_code)) return {};
      const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
      return Wrapped(builtin_code == kTfLiteBuiltinAdd ? x + y : x - y, type);
    }
    case kTfLiteBuiltinLess:
      return a < b;
    case kTfLiteBuiltinLessEqual:
      return a <= b;
    case kTfLiteBuiltinGreater:
      return a > b;
    case kTfLiteBuiltinGreaterEqual:
      return a >= b;
    case kTfLiteBuiltinEqual:
      return a == b;
    case kTfLiteBuiltinNotEqual:
      return a != b;
    case kTfLiteBuiltinLogicalAnd:
      return a && b;
    case kTfLiteBuiltinLogicalOr:
      return a || b;
    default:
      return {};
  }
}

// What is known of a subgraph's outputs from what is known of its inputs: enough for counters and conditions on them.
std::vector<Number> Evaluate(const Subgraph& graph, const std::vector<Number>& inputs) {
  std::unordered_map<int, Number> known;
  for (size_t i = 0; i < inputs.size(); ++i) known[graph.inputs()[i]] = inputs[i];
  const auto find = [&](int tensor) -> Number {
    if (tensor < 0) return {};
    const auto found = known.find(tensor);
    return found != known.end() ? found->second : NumberOf(*graph.tensor(tensor));
  };
  std::vector<int64_t> values;
  for (int node_index : graph.execution_plan()) {
    const auto& [node, registration] = *graph.node_and_registration(node_index);
    values.clear();
    for (int tensor : TfLiteIntArrayView(node.inputs)) {
      if (const Number value = find(tensor)) values.push_back(*value);
    }
    if (static_cast<int>(values.size()) != node.inputs->size || node.outputs->size != 1) continue;
    const int output = node.outputs->data[0];
    const Number result = Compute(node, registration.builtin_code, graph.tensor(output)->type, values);
    if (result) known[output] = result;
  }
  std::vector<Number> outputs;
  for (int output : graph.outputs()) outputs.push_back(find(output));
  return outputs;
}

class Unroller {
 public:
  Unroller(Interpreter& interpreter, const Model& model, int subgraph_index, Composites& composites)
      : interpreter_(interpreter),
        model_(model),
        graph_(*interpreter.subgraph(subgraph_index)),
        composites_(composites) {}

  void Run() {
    const std::vector<int> nodes = graph_.execution_plan();
    for (int node_index : nodes) {
      const TfLiteWhileParams* loop = Loop(node_index);
      const Status status = loop == nullptr ? Status() : CheckLoop(node_index, *loop);
      if (!status.ok()) composites_.kept[node_index] = "the loop stays one node: " + status.message();
      if (loop == nullptr || !status.ok()) {
        plan_.push_back(node_index);
        continue;
      }
      Unroll(node_index, *loop);
    }
    if (plan_ != nodes) graph_.execution_plan() = plan_;
  }

 private:
  const TfLiteWhileParams* Loop(int node_index) const {
    const auto& [node, registration] = *graph_.node_and_registration(node_index);
    if (registration.builtin_code != kTfLiteBuiltinWhile) return nullptr;
    return static_cast<const TfLiteWhileParams*>(node.builtin_data);
  }

  // Rejects a loop that cannot be unrolled. Sets iterations_ to the number of its iterations.
  Status CheckLoop(int node_index, const TfLiteWhileParams& loop) {
    const TfLiteNode& node = graph_.node_and_registration(node_index)->first;
    const Subgraph* condition = interpreter_.subgraph(loop.cond_subgraph_index);
    const Subgraph* body = interpreter_.subgraph(loop.body_subgraph_index);
    const size_t count = node.inputs->size;
    if (condition == nullptr || body == nullptr || body == &graph_ || condition->outputs().size() != 1 ||
        condition->inputs().size() != count || body->inputs().size() != count || body->outputs().size() != count ||
        node.outputs->size != node.inputs->size) {
      return Unsupported("its subgraphs do not fit it");
    }
    const auto file_nodes = SizeOf(model_.subgraphs()->Get(loop.body_subgraph_index)->operators());
    const bool is_changed = !body->variables().empty() || body->nodes_size() != file_nodes;
    if (is_changed) return Unsupported("its body has variables or composites");
    if (GeneratesRandomNumbers(*body)) return Unsupported("its body generates random numbers");
    const auto step_nodes = file_nodes + static_cast<int64_t>(condition->nodes_size());
    if (node_count_ + step_nodes > kMaxNodes) return Unsupported(kTooManyNodes);
    iterations_ = CountIterations(node, *condition, *body);
    if (iterations_ < 0) return Unsupported("the number of its iterations is not known before it runs");
    if (iterations_ == 0) return Unsupported("it has no iterations");
    if (iterations_ > kMaxIterations) return Unsupported("it has more than ", kMaxIterations, " iterations");
    if (node_count_ + iterations_ * file_nodes > kMaxNodes) return Unsupported(kTooManyNodes);
    if (iterations_ * WeightBytes(*body) > kMaxWeightBytes)
      return Unsupported("its iterations would multiply large weights");
    if (!ReturnsUnwritten(node, *body)) return {};
    return Unsupported("the model returns a tensor that no node of its body writes");
  }

  // -1 if not known, or if it takes too long to count; only as many as pass a limit.
  int CountIterations(const TfLiteNode& node, const Subgraph& condition, const Subgraph& body) {
    std::vector<Number> values;
    for (int tensor : TfLiteIntArrayView(node.inputs)) {
      values.push_back(tensor < 0 ? Number() : NumberOf(*graph_.tensor(tensor)));
    }
    for (int iterations = 0; iterations <= kMaxIterations; ++iterations) {
      if (node_count_ + static_cast<int64_t>(iterations * body.nodes_size()) > kMaxNodes) return iterations;
      evaluated_nodes_ += static_cast<int64_t>(condition.nodes_size() + body.nodes_size());
      if (evaluated_nodes_ > kMaxEvaluatedNodes) return -1;
      const Number goes_on = Evaluate(condition, values)[0];
      if (!goes_on) return -1;
      if (!*goes_on) return iterations;
      values = Evaluate(body, values);
    }
    return kMaxIterations + 1;
  }

  static size_t WeightBytes(const Subgraph& body) {
    size_t size_bytes = 0;
    for (size_t i = 0; i < body.tensors_size(); ++i) {
      const TfLiteTensor& tensor = *body.tensor(static_cast<int>(i));
      if (tensor.allocation_type == kTfLiteMmapRo) size_bytes += tensor.bytes;
    }
    return size_bytes;
  }

  static std::set<int> Written(const Subgraph& body) {
    std::set<int> written;
    for (int node_index : body.execution_plan()) {
      const TfLiteIntArray& outputs = *body.node_and_registration(node_index)->first.outputs;
      written.insert(outputs.data, outputs.data + outputs.size);
    }
    return written;
  }

  // Whether an output of the graph is one that the body hands on, or returns twice: nothing could write it.
  bool ReturnsUnwritten(const TfLiteNode& node, const Subgraph& body) const {
    std::set<int> written = Written(body);
    for (int i = 0; i < node.outputs->size; ++i) {
      const bool is_written = written.erase(body.outputs()[i]) > 0;
      const auto& outputs = graph_.outputs();
      if (!is_written && std::count(outputs.begin(), outputs.end(), node.outputs->data[i]) > 0) return true;
    }
    return false;
  }

  void Unroll(int node_index, const TfLiteWhileParams& loop) {
    const TfLiteNode& node = graph_.node_and_registration(node_index)->first;
    const std::vector<int> results(node.outputs->data, node.outputs->data + node.outputs->size);
    std::vector<int> carried(node.inputs->data, node.inputs->data + node.inputs->size);
    const Subgraph& body = *interpreter_.subgraph(loop.body_subgraph_index);
    SubgraphCopy copy(graph_, body, *model_.subgraphs()->Get(loop.body_subgraph_index)->operators());
    for (int iteration = 0; iteration < iterations_; ++iteration) {
      copy.StartAgain();
      for (size_t i = 0; i < carried.size(); ++i) copy.Bind(body.inputs()[i], carried[i]);
      if (iteration + 1 == iterations_) BindResults(body, results, copy);
      for (int index : body.execution_plan()) {
        const int added = copy.AppendNode(index);
        if (added < 0) continue;  // TFLite then rejects the entire graph as inconsistent
        ++node_count_;
        composites_.origins[added] = {"WHILE", node_index};
        plan_.push_back(added);
      }
      for (size_t i = 0; i < carried.size(); ++i) carried[i] = copy.Tensor(body.outputs()[i]);
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (carried[i] != results[i]) Rename(results[i], carried[i]);
    }
  }

  // Lets the body write the loop's outputs.
  static void BindResults(const Subgraph& body, const std::vector<int>& results, SubgraphCopy& copy) {
    std::set<int> written = Written(body);
    for (size_t i = 0; i < results.size(); ++i) {
      if (written.erase(body.outputs()[i]) > 0) copy.Bind(body.outputs()[i], results[i]);
    }
  }

  // Lets the nodes that read `tensor` read another one.
  void Rename(int tensor, int other) {
    for (int node_index : graph_.execution_plan()) {
      TfLiteIntArray& inputs = *graph_.node_and_registration(node_index)->first.inputs;
      std::replace(inputs.data, inputs.data + inputs.size, tensor, other);
    }
  }

  Interpreter& interpreter_;
  const Model& model_;
  Subgraph& graph_;
  Composites& composites_;
  int iterations_ = 0;      // of the current loop
  int64_t node_count_ = 0;  // that the loops so far became
  int64_t evaluated_nodes_ = 0;
  std::vector<int> plan_;
};

// The subgraphs that nodes of the plans name as a loop's condition or body.
std::set<int> LoopSubgraphs(const Interpreter& interpreter) {
  std::set<int> found;
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    const Subgraph& graph = *interpreter.subgraph(static_cast<int>(i));
    for (int node_index : graph.execution_plan()) {
      const auto& [node, registration] = *graph.node_and_registration(node_index);
      if (registration.builtin_code != kTfLiteBuiltinWhile) continue;
      const auto& loop = *static_cast<const TfLiteWhileParams*>(node.builtin_data);
      found.insert({loop.cond_subgraph_index, loop.body_subgraph_index});
    }
  }
  return found;
}

}  // namespace

void UnrollLoops(Interpreter& interpreter, const Model& model, int subgraph_index, Composites& composites) {
  std::set<int> unused = LoopSubgraphs(interpreter);
  Unroller(interpreter, model, subgraph_index, composites).Run();
  for (int used : LoopSubgraphs(interpreter)) unused.erase(used);
  for (int index : unused) {
    if (Subgraph* graph = interpreter.subgraph(index)) graph->MarkAsDelegationSkippable();
  }
}

}  // namespace tflite::webnn
