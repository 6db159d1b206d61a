#include "delegate/builder/transpose_pairs.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace tflite::webnn {
namespace {

using Operator = WebnnGraph::Operator;
using Permutation = std::vector<int>;

// What Chromium mistakes for operators without axes. It is wrong about softmax.
constexpr std::string_view kAxisFree[] = {"abs",         "add",        "cast",          "ceil",       "clamp",
                                          "cos",         "div",        "elu",           "equal",      "erf",
                                          "exp",         "floor",      "gelu",          "greater",    "greaterOrEqual",
                                          "hardSigmoid", "hardSwish",  "identity",      "isInfinite", "isNaN",
                                          "leakyRelu",   "lesser",     "lesserOrEqual", "linear",     "log",
                                          "logicalAnd",  "logicalNot", "logicalOr",     "logicalXor", "max",
                                          "min",         "mul",        "neg",           "notEqual",   "pow",
                                          "reciprocal",  "relu",       "roundEven",     "sigmoid",    "sign",
                                          "sin",         "softmax",    "softplus",      "softsign",   "sqrt",
                                          "sub",         "tan",        "tanh"};

bool IsTranspose(const Operator& node) { return std::string_view(node.op) == "transpose"; }

const Permutation& PermutationOf(const Operator& transpose) {
  return std::get<Permutation>(transpose.options.front().value);
}

Permutation Inverse(const Permutation& permutation) {
  Permutation inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = static_cast<int>(i);
  return inverse;
}

bool IsIdentity(const Permutation& permutation) { return std::is_sorted(permutation.begin(), permutation.end()); }

int OperandCount(const WebnnGraph& graph) {
  int count = 0;
  for (const Operator& node : graph.operators) {
    const auto see = [&count](Operand operand) { count = std::max(count, operand.id + 1); };
    ForEachOperand(node, see);
    for (Operand result : node.outputs) see(result);
  }
  return count;
}

// Operators that are looked at, all transposes together; those that are left then count as misremoved.
constexpr size_t kMaxVisits = 5'000'000;

// What an operator is of the operators that are removed and moved together.
enum class Part : uint8_t { kNone, kInner, kFirstTranspose, kLastTranspose };

// Which operators write and read each operand, by their positions in the graph.
class Links {
 public:
  explicit Links(const WebnnGraph& graph)
      : operators_(graph.operators),
        writers_(OperandCount(graph), -1),
        readers_(writers_.size()),
        parts_(graph.operators.size()),
        is_broken_(graph.operators.size()) {
    for (int i = 0; i < static_cast<int>(operators_.size()); ++i) {
      ForEachOperand(operators_[i], [&](Operand source) { readers_[source.id].push_back(i); });
      for (Operand result : operators_[i].outputs) writers_[result.id] = i;
    }
    is_output_.resize(operators_.size());
    for (const WebnnGraph::BoundaryOperand& output : graph.outputs) is_output_[writers_[output.operand.id]] = true;
  }

  // Whether Chromium removes this transpose with others, in a way that it gets wrong.
  bool IsMisremoved(int transpose) {
    for (int i : members_) parts_[i] = Part::kNone;
    members_.clear();
    const bool is_misremoved = Explore(transpose) && IsMishandled(transpose);
    visits_ += members_.size();
    return is_misremoved || visits_ > kMaxVisits;
  }

  // What is before the transpose is now read by one that keeps the order.
  void Break(int transpose) { is_broken_[transpose] = true; }

 private:
  bool Join(int i, Part part) {
    parts_[i] = part;
    members_.push_back(i);
    return true;
  }

  // False for an operator that keeps Chromium from removing what is next to it.
  bool JoinNeighbour(int i, Part part, const Permutation& permutation) {
    if (parts_[i] != Part::kNone) return true;
    const Operator& node = operators_[i];
    if (IsTranspose(node)) {
      const bool is_kept = part == Part::kFirstTranspose && is_output_[i];
      if (part == Part::kLastTranspose && is_broken_[i]) return IsIdentity(permutation) && Join(i, part);
      return !is_kept && PermutationOf(node) == permutation && Join(i, part);
    }
    const bool is_axis_free = std::find(std::begin(kAxisFree), std::end(kAxisFree), node.op) != std::end(kAxisFree);
    return is_axis_free && !is_output_[i] && Join(i, Part::kInner);
  }

  // Collects the operators that Chromium would remove or move with a last transpose; false if it removes none.
  bool Explore(int transpose) {
    const Permutation& last = PermutationOf(operators_[transpose]);
    const Permutation first = Inverse(last);
    bool removable = Join(transpose, Part::kLastTranspose);
    for (size_t next = 0; removable && next < members_.size(); ++next) {
      const int i = members_[next];
      if (parts_[i] == Part::kInner || i == transpose) {
        ForEachOperand(operators_[i], [&](Operand source) {
          const int writer = writers_[source.id];
          removable = removable && writer >= 0 && JoinNeighbour(writer, Part::kFirstTranspose, first);
        });
      }
      if (parts_[i] == Part::kLastTranspose) continue;
      for (int reader : ReadersOf(i)) removable = removable && JoinNeighbour(reader, Part::kLastTranspose, last);
    }
    return removable;
  }

  // Chromium keeps the axis of softmax. With several first or last transposes it visits what has several readers
  // twice, and fails when it removes a transpose again.
  bool IsMishandled(int transpose) const {
    bool has_softmax = false, is_tree = true;
    int first_count = 0, last_count = 0;
    for (int i : members_) {
      first_count += parts_[i] == Part::kFirstTranspose;
      last_count += parts_[i] == Part::kLastTranspose;
      has_softmax = has_softmax || std::string_view(operators_[i].op) == "softmax";
      is_tree = is_tree && (parts_[i] == Part::kLastTranspose || ReadersOf(i).size() == 1);
    }
    const bool is_empty = static_cast<int>(members_.size()) == first_count + last_count;
    return has_softmax || last_count > 1 || (first_count > 1 && !is_tree) || (is_empty && is_output_[transpose]);
  }

  const std::vector<int>& ReadersOf(int i) const { return readers_[operators_[i].outputs.front().id]; }

  const std::vector<Operator>& operators_;
  std::vector<int> writers_;               // by operand; -1 for inputs and constants
  std::vector<std::vector<int>> readers_;  // by operand, once per use
  std::vector<bool> is_output_;
  std::vector<Part> parts_;
  std::vector<bool> is_broken_;
  std::vector<int> members_;
  size_t visits_ = 0;
};

class TransposeKeeper {
 public:
  explicit TransposeKeeper(WebnnGraph* graph)
      : operators_(graph->operators), graph_(*graph), next_id_(OperandCount(*graph)) {}

  // An operator that reads one transpose twice ends the page; with a second transpose it does not.
  void SplitDoubleReads() {
    std::vector<const Operator*> writers(next_id_);
    std::vector<Operator> kept;
    kept.reserve(operators_.size());
    std::deque<Operator> transposes;
    for (Operator& node : operators_) {
      std::set<int> read;
      ForEachOperand(node, [&](Operand& operand) {
        if (read.insert(operand.id).second || writers[operand.id] == nullptr) return;
        kept.push_back(*writers[operand.id]);
        operand = Operand{next_id_++};
        kept.back().outputs.front() = operand;
      });
      if (IsTranspose(node)) writers[node.outputs.front().id] = &transposes.emplace_back(node);
      kept.push_back(std::move(node));
    }
    operators_ = std::move(kept);
  }

  // Chromium removes nothing where a transpose has another permutation.
  void BreakPairs() {
    Links links(graph_);
    std::vector<bool> is_broken(operators_.size());
    for (size_t i = 0; i < operators_.size(); ++i) {
      if (!IsTranspose(operators_[i]) || !links.IsMisremoved(static_cast<int>(i))) continue;
      links.Break(static_cast<int>(i));
      is_broken[i] = true;
    }
    std::vector<Operator> kept;
    kept.reserve(operators_.size());
    for (size_t i = 0; i < operators_.size(); ++i) {
      if (is_broken[i]) {
        Operator& same = kept.emplace_back(operators_[i]);
        Permutation axes = PermutationOf(same);
        std::iota(axes.begin(), axes.end(), 0);
        same.options.front().value = std::move(axes);
        same.outputs.front() = Operand{next_id_++};
        operators_[i].arguments.front() = same.outputs.front();
      }
      kept.push_back(std::move(operators_[i]));
    }
    operators_ = std::move(kept);
  }

 private:
  std::vector<Operator>& operators_;
  const WebnnGraph& graph_;
  int next_id_;
};

}  // namespace

bool KeepTransposePairs(WebnnGraph* graph) {
  const size_t operator_count = graph->operators.size();
  TransposeKeeper keeper(graph);
  keeper.SplitDoubleReads();
  keeper.BreakPairs();
  return graph->operators.size() > operator_count;
}

}  // namespace tflite::webnn
