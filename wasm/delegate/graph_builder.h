#ifndef TFLITE_WEBNN_DELEGATE_GRAPH_BUILDER_H_
#define TFLITE_WEBNN_DELEGATE_GRAPH_BUILDER_H_

#include <map>
#include <string>
#include <vector>

#include "delegate/graph_view.h"
#include "delegate/op_support_limits.h"
#include "delegate/quantization/fusion.h"
#include "delegate/quantized_form.h"
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
//
// Lowering functions see real numbers only. Of a quantized tensor Tensor() gives what dequantizeLinear makes
// of it, SetOutput() adds the quantizeLinear, and in the fused form an operator that only moves values is
// put between the two by itself, so that no integer loses its scale.
class GraphBuilder {
 public:
  // `graph` may be null (check only). All must outlive the builder.
  GraphBuilder(const OpSupportLimits* limits, const GraphView* view, WebnnGraph* graph);

  // Starts the next node: its label goes to all that is emitted, its refusal is forgotten. `form` is how
  // its quantized tensors are treated.
  void BeginNode(const OpView& op, QuantizedForm form);
  QuantizedForm form() const { return form_; }
  // The condition that keeps engines from computing this node in integers; empty if they will.
  std::string FailedFusionCondition() const;

  // The operand of a node's input: an operand made earlier, a constant, or an input of the graph.
  // float32 for quantized tensors. Refuses types that WebNN does not have.
  Operand Tensor(const TensorView& tensor);
  // The integers of a tensor, whatever real numbers they stand for: for ops to which int8 is a number.
  Operand RawTensor(const TensorView& tensor);
  // The bias of a convolution or a FULLY_CONNECTED with this input and filter. TFLite adds a quantized one
  // to accumulators of scale input * filter, so that is the scale it gets. The fused form needs a bias: zeros
  // of shape [channels] where the node has none. Invalid when there is none to add, too.
  Operand Bias(const OpView& op, int i, const TensorView& input, const TensorView& filter, int channels);
  // A variable tensor's value before the run, and its value after it: an input and an output of the graph for
  // the same tensor, whose home between the runs is TFLite's memory.
  Operand StateTensor(const TensorView& tensor) { return RawTensor(tensor); }
  void SetState(const TensorView& tensor, Operand operand);

  // A constant of `values`, which must have as many elements as `shape`.
  Operand Constant(const std::vector<int>& shape, const std::vector<float>& values);
  Operand Constant(const std::vector<int>& shape, const std::vector<int32_t>& values);
  // The same integers as a constant of any type, which must be able to hold them.
  Operand Constant(DataType type, const std::vector<int>& shape, const std::vector<int32_t>& values);

  // A constant tensor of the model with its axes permuted while the graph is built, not on each run.
  Operand TransposedConstant(const TensorView& tensor, const std::vector<int>& permutation);

  // Calls a method with one result of the given descriptor, checking each operand and the result
  // against opSupportLimits().
  Operand Emit(const Call& call, const OperandDescriptor& output);
  // A method with several results (split). The limits name them "outputs".
  std::vector<Operand> EmitMany(const Call& call, const std::vector<OperandDescriptor>& outputs);

  // Frequent calls.
  Operand Unary(const char* op, Operand x, std::vector<Option> options = {});
  Operand Binary(const char* op, Operand a, Operand b);   // numpy broadcasting
  Operand Compare(const char* op, Operand a, Operand b);  // to truth values, which are uint8
  Operand Where(Operand condition, Operand if_true, Operand if_false);
  Operand Reshape(Operand x, const std::vector<int>& shape);
  Operand Transpose(Operand x, const std::vector<int>& permutation);
  Operand Slice(Operand x, const std::vector<int>& starts, const std::vector<int>& sizes,
                const std::vector<int>& strides);
  Operand Concat(const std::vector<Operand>& inputs, int axis);
  Operand Reverse(Operand x, const std::vector<int>& axes);
  // Indices of any rank: the reshapes around what engines cannot take are part of it.
  Operand Gather(Operand x, Operand indices, int axis);
  Operand Gather(Operand x, const std::vector<int32_t>& indices, int axis);
  Operand GatherNd(Operand x, Operand indices);
  Operand Cast(Operand x, DataType type);
  Operand Clamp(Operand x, float min_value, float max_value);
  Operand Activation(Operand x, TfLiteFusedActivation activation);
  // The same for the node's first output: left out where the output's integers cannot stand for anything
  // beyond it, between a quantizeLinear and a dequantizeLinear of its own where engines fuse it only so.
  Operand OutputActivation(const OpView& op, Operand x, TfLiteFusedActivation activation);
  // In the fused form dequantizeLinear(quantizeLinear(x)) with the tensor's parameters, else x.
  Operand Requantize(Operand x, const TensorView& tensor);

  // Binds the node's i-th output. Refuses a shape or type other than the TFLite tensor's.
  void SetOutput(const OpView& op, int i, Operand operand);

  // Marks the node as not expressible; `reason` says what was found and what would be needed.
  // Always returns an invalid operand.
  Operand Refuse(std::string reason);
  // Whether a lowering may make a constant of so many elements, a table of indices or of weights; false after a
  // refusal.
  bool CanMake(int64_t element_count);
  bool refused() const { return !refusal_.empty(); }
  const std::string& refusal() const { return refusal_; }

  const OperandDescriptor& descriptor(Operand operand) const { return descriptors_[operand.id]; }
  const std::vector<int>& shape(Operand operand) const { return descriptors_[operand.id].shape; }

  // Makes a TFLite tensor an output of the graph. Emitting only.
  void AddOutput(const TensorView& tensor);
  // Makes what SetState() was given outputs of the graph. Emitting only.
  void AddStateOutputs();

 private:
  bool emitting() const { return graph_ != &scratch_; }
  Operand NewOperand(const OperandDescriptor& descriptor);
  bool CheckOperand(const char* op, const char* name, Operand operand);
  bool CheckCall(const Call& call);
  void Append(const Call& call, std::vector<Operand> outputs);
  Operand KeepQuantization(const Call& call, Operand output);

  bool DescribeTensor(const TensorView& tensor, DataType type, OperandDescriptor* descriptor);
  bool DescribeRawTensor(const TensorView& tensor, OperandDescriptor* descriptor);
  bool CheckGraphOperand(const TensorView& tensor, const OperandDescriptor& descriptor, const char* kind);
  Operand AddInput(const TensorView& tensor, const OperandDescriptor& descriptor);
  Operand AddConstant(const TensorView& tensor, const OperandDescriptor& descriptor);
  Operand AddOwnedConstant(const OperandDescriptor& descriptor, const void* data);
  Operand FloatConstant(const TensorView& tensor);
  Operand SharedConstant(const OperandDescriptor& descriptor, const void* data);

  bool ReadQuantization(const TensorView& tensor, AffineQuantization* quantization);
  bool IsHeldInFloat(const TensorView& tensor) const;
  Operand QuantizedTensor(const TensorView& tensor);
  Operand Scales(const AffineQuantization& quantization, int rank);
  Operand ZeroPoints(const AffineOperand& affine, int rank);
  Operand Quantize(Operand x, const AffineOperand& affine);
  Operand Dequantize(Operand raw, const AffineOperand& affine);
  Operand WidenedInput(const TensorView& tensor, const AffineQuantization& quantization);
  Operand NarrowedOutput(const TensorView& tensor, Operand x);
  void SetQuantizedOutput(const TensorView& tensor, Operand operand);
  Operand DequantizedBias(const TensorView& bias, AffineQuantization quantization);
  // Of a call with two operands; false after a refusal.
  bool DescribeBroadcast(const char* op, Operand a, Operand b, OperandDescriptor* output);

  const OpSupportLimits* limits_;
  const GraphView* view_;
  WebnnGraph scratch_;  // of the node that is checked
  WebnnGraph* graph_;
  std::vector<OperandDescriptor> descriptors_;  // by Operand::id
  std::map<int, Operand> raw_operands_;         // by TFLite tensor index
  std::map<int, Operand> float_operands_;       // of quantized tensors, by TFLite tensor index
  std::map<int, Operand> float_constants_;      // the same for constants unpacked while the graph is built
  std::map<std::string, Operand> shared_constants_;
  QuantizedOperands quantized_operands_;
  std::vector<int> states_;    // TFLite tensor indices
  size_t first_operator_ = 0;  // of the node
  QuantizedForm form_ = QuantizedForm::kNone;
  std::string label_;
  std::string refusal_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_GRAPH_BUILDER_H_
