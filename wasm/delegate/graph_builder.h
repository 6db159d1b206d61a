#ifndef TFLITE_WEBNN_DELEGATE_GRAPH_BUILDER_H_
#define TFLITE_WEBNN_DELEGATE_GRAPH_BUILDER_H_

#include <map>
#include <string>
#include <vector>

#include "delegate/graph_view.h"
#include "delegate/op_support_limits.h"
#include "delegate/webnn_graph.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tflite::webnn {

// An operand with the name that opSupportLimits() gives its place, for example {"filter", filter}.
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

// What the lowering functions write to. It has two uses: without a graph it only checks whether a
// node could be lowered, with a graph it also emits. Because both run the same lowering function,
// what is claimed as supported and what is emitted cannot drift apart.
//
// A refusal is sticky: after the first one every call returns an invalid operand and does nothing,
// so lowering functions need not test each step.
class GraphBuilder {
 public:
  // `graph` may be null (check only). All must outlive the builder.
  GraphBuilder(const OpSupportLimits* limits, const GraphView* view, WebnnGraph* graph);

  // Starts the next node: its label goes to all that is emitted, its refusal is forgotten.
  void BeginNode(const OpView& op);

  // The operand of a node's input: an operand made earlier, a constant, or an input of the graph.
  // Refuses types that WebNN does not have and quantized tensors.
  Operand Tensor(const TensorView& tensor);

  // A constant of `values`, which must have as many elements as `shape`.
  Operand Constant(const std::vector<int>& shape, const std::vector<float>& values);
  Operand Constant(const std::vector<int>& shape, const std::vector<int32_t>& values);

  // A constant tensor of the model with its axes permuted while the graph is built, not on each run.
  Operand TransposedConstant(const TensorView& tensor, const std::vector<int>& permutation);

  // Calls a method with one result of the given descriptor, checking each operand and the result
  // against opSupportLimits().
  Operand Emit(const Call& call, const OperandDescriptor& output);
  // A method with several results (split). The limits name them "outputs".
  std::vector<Operand> EmitMany(const Call& call, const std::vector<OperandDescriptor>& outputs);

  // Frequent calls.
  Operand Unary(const char* op, Operand x, std::vector<Option> options = {});
  Operand Binary(const char* op, Operand a, Operand b);  // numpy broadcasting
  Operand Reshape(Operand x, const std::vector<int>& shape);
  Operand Transpose(Operand x, const std::vector<int>& permutation);
  Operand Slice(Operand x, const std::vector<int>& starts, const std::vector<int>& sizes,
                const std::vector<int>& strides);
  Operand Concat(const std::vector<Operand>& inputs, int axis);
  Operand Reverse(Operand x, const std::vector<int>& axes);
  Operand Gather(Operand x, const std::vector<int32_t>& indices, int axis);
  Operand Cast(Operand x, DataType type);
  Operand Clamp(Operand x, float min_value, float max_value);
  Operand Activation(Operand x, TfLiteFusedActivation activation);

  // Binds the node's i-th output. Refuses a shape or type other than the TFLite tensor's.
  void SetOutput(const OpView& op, int i, Operand operand);

  // Marks the node as not expressible; `reason` says what was found and what would be needed.
  // Always returns an invalid operand.
  Operand Refuse(std::string reason);
  bool refused() const { return !refusal_.empty(); }
  const std::string& refusal() const { return refusal_; }

  const OperandDescriptor& descriptor(Operand operand) const { return descriptors_[operand.id]; }
  const std::vector<int>& shape(Operand operand) const { return descriptors_[operand.id].shape; }

  // Makes a TFLite tensor an output of the graph. Emitting only.
  void AddOutput(const TensorView& tensor);

 private:
  Operand NewOperand(const OperandDescriptor& descriptor);
  bool CheckOperand(const char* op, const char* name, Operand operand);
  bool CheckCall(const Call& call);
  void Append(const Call& call, std::vector<Operand> outputs);
  Operand AddInput(const TensorView& tensor, const OperandDescriptor& descriptor);
  Operand AddConstant(const TensorView& tensor, const OperandDescriptor& descriptor);
  Operand AddOwnedConstant(const OperandDescriptor& descriptor, const void* data);
  bool DescribeTensor(const TensorView& tensor, OperandDescriptor* descriptor);

  const OpSupportLimits* limits_;
  const GraphView* view_;
  WebnnGraph* graph_;
  std::vector<OperandDescriptor> descriptors_;  // by Operand::id
  std::map<int, Operand> operands_;             // by TFLite tensor index
  std::string label_;
  std::string refusal_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_GRAPH_BUILDER_H_
