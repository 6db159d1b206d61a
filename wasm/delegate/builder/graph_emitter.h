#ifndef TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_EMITTER_H_
#define TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_EMITTER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "delegate/graph/op_support_limits.h"
#include "delegate/graph/webnn_graph.h"
#include "delegate/model/graph_view.h"

namespace tflite::webnn {

// An operand with its name in opSupportLimits(), for example {"filter", filter}.
struct NamedOperand {
  const char* name;
  Operand operand;
};

// A call of an MLGraphBuilder method: method(...operands, ...arguments, options).
struct Call {
  const char* op;
  std::vector<NamedOperand> operands;
  std::vector<Value> arguments = {};
  std::vector<Option> options = {};
};

// Emits the operators of a node within the context's limits, the first part of GraphBuilder.
//
// A rejection is sticky: after the first one every call returns an invalid operand and does nothing. To every call an
// invalid operand is a float32 number without axes, so lowering functions test rejected() only before they index a
// shape or divide by a size.
class GraphEmitter {
 public:
  // Calls a method with one result of the provided descriptor, checking each operand and the result
  // against opSupportLimits().
  Operand Emit(const Call& call, const OperandDescriptor& output);
  // A method with several results (split). The limits name them "outputs".
  std::vector<Operand> EmitMany(const Call& call, const std::vector<OperandDescriptor>& outputs);

  Operand Unary(const char* op, Operand x, std::vector<Option> options = {});
  Operand Binary(const char* op, Operand a, Operand b);   // numpy broadcasting
  Operand Compare(const char* op, Operand a, Operand b);  // to booleans, which are uint8
  Operand Where(Operand condition, Operand if_true, Operand if_false);
  Operand Reshape(Operand x, const std::vector<int>& shape);
  Operand Transpose(Operand x, const std::vector<int>& permutation);
  // Transposes the elements of x as those of an operand of this shape. Axes that stay neighbours in the same order are
  // one axis of the result, and those of size 1 are left out.
  Operand TransposeMerged(Operand x, const std::vector<int>& shape, const std::vector<int>& permutation);
  // Without strides, of 1.
  Operand Slice(Operand x, const std::vector<int>& starts, const std::vector<int>& sizes,
                const std::vector<int>& strides = {});
  Operand Concat(const std::vector<Operand>& inputs, int axis);
  // `axes` must be axes of x, each once.
  Operand Reduce(const char* op, Operand x, const std::vector<int>& axes, bool keep_dimensions);
  // Accepts indices of any rank: reshapes those of ranks that the context rejects.
  Operand Gather(Operand x, Operand indices, int axis);
  Operand GatherNd(Operand x, Operand indices);
  Operand Cast(Operand x, DataType type);
  Operand Clamp(Operand x, float min_value, float max_value);

  // Marks the node as not expressible; `reason` says what was found and what would be needed.
  // Always returns an invalid operand.
  Operand Reject(std::string reason) { return Reject(std::move(reason), {}); }
  // The same for bugs, without which the node would be expressible.
  Operand Reject(std::string reason, Workarounds because);
  bool rejected() const { return !rejection_.empty(); }
  const std::string& rejection() const { return rejection_; }
  // What the node used, or why it was rejected. When emitting, all nodes' together.
  const Workarounds& used_workarounds() const { return graph_->workarounds; }

  // Whether a lowering may make a constant of this size, a table of indices or weights; false after a rejection.
  bool CanMake(int64_t element_count);
  // Whether the operator's result may have so many axes.
  bool AcceptsRank(const char* op, int rank) const;
  bool AcceptsType(const char* op, const char* operand, DataType type) const;
  // Whether the operand may have so many axes; a limit that works around a bug counts as used.
  bool AcceptsRank(const char* op, const char* operand, int rank);
  // Whether to work around a bug that the node meets; it then counts as used.
  bool WorksAround(Workaround workaround);
  // Lets callers check indices that are known only when the graph runs: number i is less than sizes[i % sizes.size()].
  void LimitIndices(Operand indices, std::vector<int> sizes);

  const OperandDescriptor& descriptor(Operand operand) const;
  const std::vector<int>& shape(Operand operand) const { return descriptor(operand).shape; }
  // What the node has become so far.
  std::span<const WebnnGraph::Operator> node_operators() const {
    return std::span(graph_->operators).subspan(first_operator_);
  }

 protected:
  GraphEmitter(const OpSupportLimits* limits, WebnnGraph* graph)
      : limits_(limits), graph_(graph != nullptr ? graph : &scratch_) {}
  ~GraphEmitter() = default;

  void BeginNode(std::string label);
  bool emitting() const { return graph_ != &scratch_; }
  WebnnGraph& graph() { return *graph_; }
  const WebnnGraph& graph() const { return *graph_; }
  void set_label(std::string label) { label_ = std::move(label); }
  const std::vector<OperandDescriptor>& descriptors() const { return descriptors_; }
  Operand NewOperand(const OperandDescriptor& descriptor);
  // What later operators read of a result.
  virtual Operand KeepQuantization(const Call& call, Operand output) = 0;

  // These return false after they rejected.
  bool DescribeTensor(const TensorView& tensor, DataType type, OperandDescriptor* descriptor);
  bool DescribeRawTensor(const TensorView& tensor, OperandDescriptor* descriptor);
  bool CheckGraphOperand(const TensorView& tensor, const OperandDescriptor& descriptor, const char* kind);
  bool CheckPermutation(const std::vector<int>& permutation, int rank);

 private:
  bool CheckOperand(const char* op, const char* name, Operand operand);
  bool CheckCall(const Call& call);
  void Append(const Call& call, std::vector<Operand> outputs);
  // The result of a call with two operands; false after a rejection.
  bool DescribeBroadcast(const char* op, Operand a, Operand b, OperandDescriptor* output);
  // Merges axes where the result has more than the operator accepts.
  Operand EmitBroadcast(const char* op, Operand a, Operand b, const OperandDescriptor& output);

  const OpSupportLimits* limits_;
  WebnnGraph scratch_;              // of the node being checked
  int64_t generated_elements_ = 0;  // of large constants that CanMake() allowed checks
  WebnnGraph* graph_;
  std::vector<OperandDescriptor> descriptors_;  // by Operand::id
  size_t first_operator_ = 0;                   // of the node
  std::string label_;
  std::string rejection_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_EMITTER_H_
