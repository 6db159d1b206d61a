#ifndef TFLITE_WEBNN_DELEGATE_GRAPH_WEBNN_GRAPH_H_
#define TFLITE_WEBNN_DELEGATE_GRAPH_WEBNN_GRAPH_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "delegate/graph/data_type.h"
#include "delegate/workarounds/workarounds.h"
#include "support/json_writer.h"

namespace tflite::webnn {

// An operand of a WebnnGraph or of the node being checked. Invalid after a rejection.
struct Operand {
  int id = -1;
  bool valid() const { return id >= 0; }
};

// An argument or an option of a WebNN operator.
using Value = std::variant<bool, int, float, const char*, std::vector<int>, Operand, std::vector<Operand>>;

struct Option {
  const char* name;
  Value value;
};

// A WebNN graph as plain data: enough to replay it on any MLGraphBuilder, without JavaScript objects.
// Constants are addresses in this module's memory, either into the model buffer or into `unpacked`, which the graph
// owns; or they are created when they are read.
struct WebnnGraph {
  // Returns that part of the content, or all of it.
  using MakeBytes = std::function<std::vector<uint8_t>(ByteRange part)>;
  struct BoundaryOperand {
    Operand operand;
    int tensor_index;  // of the TFLite tensor
    OperandDescriptor descriptor;
    // The TFLite tensor is int16, which WebNN does not have: its values cross the boundary as int32.
    bool widened_int16 = false;
  };
  struct Constant {
    Operand operand;
    OperandDescriptor descriptor;
    int64_t address;  // from kGeneratedConstants on: of no memory, but of what `make` returns
    MakeBytes make = nullptr;
  };
  // What wasm32 cannot address.
  static constexpr int64_t kGeneratedConstants = int64_t{1} << 32;

  struct Operator {
    const char* op;     // method of MLGraphBuilder
    std::string label;  // MLOperatorOptions.label: "<node index>:<TFLite op>"
    std::vector<Value> arguments;
    std::vector<Option> options;
    std::vector<Operand> outputs;
  };

  // Indices that are known only when the graph runs, and what they index: WebNN clamps one that is out of range.
  struct IndexLimit {
    Operand indices;
    std::vector<int> sizes;  // index number i is less than sizes[i % sizes.size()]
  };

  std::vector<BoundaryOperand> inputs;
  std::vector<Constant> constants;
  std::vector<Operator> operators;
  std::vector<BoundaryOperand> outputs;
  std::vector<IndexLimit> index_limits;
  std::deque<std::vector<uint8_t>> unpacked;
  // Whether constants that are unpacked from the model's are created when they are read: together they may be many
  // times the model.
  bool makes_constants_later = false;
  Workarounds workarounds;  // those used
  // Larger constants make build() fail; 0 where all are small enough, or any size will do.
  uint64_t max_constant_bytes = 0;

  // Drops operators, inputs and constants that no output needs: MLContext.dispatch() requires exactly
  // the inputs of the built graph.
  void RemoveUnreachable();

  // Sets max_constant_bytes if a constant is larger. JavaScript then splits the weights of a gemm.
  void LimitConstants(uint64_t max_bytes);

  // Writes the graph as one JSON object, one element per line. docs/architecture.md has the format.
  void WriteJson(JsonWriter& json) const;
};

// Visits the operands in an argument or an option, or in all of an operator, once per use.
template <typename V, typename Visitor>
  requires std::is_same_v<std::remove_const_t<V>, Value>
void ForEachOperand(V& value, Visitor visit) {
  if (auto* operand = std::get_if<Operand>(&value)) visit(*operand);
  if (auto* operands = std::get_if<std::vector<Operand>>(&value)) {
    for (auto& operand : *operands) visit(operand);
  }
}

template <typename Node, typename Visitor>
  requires std::is_same_v<std::remove_const_t<Node>, WebnnGraph::Operator>
void ForEachOperand(Node& node, Visitor visit) {
  for (auto& argument : node.arguments) ForEachOperand(argument, visit);
  for (auto& option : node.options) ForEachOperand(option.value, visit);
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_GRAPH_WEBNN_GRAPH_H_
