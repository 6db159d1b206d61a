#ifndef TFLITE_WEBNN_DELEGATE_PATTERNS_PATTERN_H_
#define TFLITE_WEBNN_DELEGATE_PATTERNS_PATTERN_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "delegate/builder/graph_builder.h"
#include "delegate/model/graph_view.h"

// Patterns: groups of nodes that WebNN computes by fewer operators than their lowerings emit one by one.
namespace tflite::webnn {

// Collects the nodes of a group from the last one backwards.
class NodeGroup {
 public:
  NodeGroup(const GraphView& view, const OpView& last) : view_(view), nodes_{last.node_index()} {}

  // The node that writes the tensor, if it is one of this op; it becomes one of the group.
  std::optional<OpView> Writer(const TensorView& tensor, int builtin_code);
  // What RESHAPE nodes make the tensor from; they become part of the group.
  TensorView BeforeReshapes(TensorView tensor);
  // Whether nothing but the group reads what its nodes write, except for the last one's result.
  bool IsClosed() const;
  // The node that the group started from is the last one.
  std::vector<int> nodes() const;

 private:
  const GraphView& view_;
  std::vector<int> nodes_;
};

// The tensors that a pattern's two functions agree on, by their index; -1 for one that is left out.
using PatternTensors = std::vector<int>;

// One pattern. The rows are in this directory, a file each.
struct PatternEntry {
  const char* name;  // for the report
  int last_op;       // kTfLiteBuiltin* of the node that writes the result
  // Collects the nodes before `last`; empty if they are not this pattern. All inputs from outside of the group but
  // one must be constants: else TFLite may divide the group into two partitions.
  std::optional<PatternTensors> (*match)(const GraphView& view, const OpView& last, NodeGroup& group);
  // Returns the output of the last node.
  Operand (*lower)(const PatternTensors& tensors, const GraphView& view, const OpView& last, GraphBuilder& builder);
  const char* nodes;      // what it matches, for the docs
  const char* webnn_ops;  // the operators it becomes, for the docs
};

extern const PatternEntry kLayerNormalization;
extern const PatternEntry kSpectrumMagnitude;

inline constexpr const PatternEntry* kPatterns[] = {&kLayerNormalization, &kSpectrumMagnitude};

// A group of nodes that matches a pattern.
struct PatternMatch {
  const PatternEntry* row;
  std::vector<int> nodes;  // the last one writes the result
  PatternTensors tensors;
};

// By the index of each node of a group.
using PatternMatches = std::map<int, PatternMatch>;

// The matches in a graph. A node belongs to at most one.
PatternMatches FindPatterns(const GraphView& view);

// Lowers the entire group as its last node.
void LowerPattern(const PatternMatch& match, const GraphView& view, GraphBuilder& builder);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_PATTERNS_PATTERN_H_
