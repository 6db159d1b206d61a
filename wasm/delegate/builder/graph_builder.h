#ifndef TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_BUILDER_H_
#define TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_BUILDER_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "delegate/graph/op_support_limits.h"
#include "delegate/graph/webnn_graph.h"
#include "delegate/model/graph_view.h"
#include "delegate/quantization/fusion.h"
#include "delegate/quantization/quantized_form.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

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

// Lowering functions write to a GraphBuilder. Without a graph it only checks whether a node can be
// lowered; with a graph it also emits. Both run the same lowering function, so the check and the
// emitted operators cannot drift apart.
//
// A rejection is sticky: after the first one every call returns an invalid operand and does nothing,
// so lowering functions need not test each step.
//
// Lowering functions see real numbers only. For a quantized tensor Tensor() returns the result of
// dequantizeLinear, and SetOutput() adds quantizeLinear. In the fused form each operator that only moves
// values gets its own pair, so that no integer loses its scale.
class GraphBuilder {
 public:
  // `graph` may be null (check only). All must outlive the builder.
  GraphBuilder(const OpSupportLimits* limits, const GraphView* view, WebnnGraph* graph);

  // Starts the next node: clears the rejection, and labels what is emitted from here on. `form` says how
  // to lower the node's quantized tensors.
  void BeginNode(const OpView& op, QuantizedForm form);
  QuantizedForm form() const { return form_; }
  // The condition that keeps engines from computing this node in integers; empty if they do.
  std::string FailedFusionCondition() const;

  // The operand of a node's input: an earlier result, a constant, or an input of the graph.
  // float32 for quantized tensors. Rejects types that WebNN lacks.
  Operand Tensor(const TensorView& tensor);
  // The same in any shape, for lowerings that need only the elements: Tensor(), if HasAnyShape() is false.
  Operand Elements(const TensorView& tensor);
  // Whether quantized operands may not have as many axes as this tensor: an operand of another shape holds its
  // elements, and SetOutput() takes one.
  bool HasAnyShape(const TensorView& tensor) const;
  // The integers of a tensor, without scale and zero point: for ops that read int8 as plain integers.
  Operand RawTensor(const TensorView& tensor);
  // The bias of a convolution or a FULLY_CONNECTED with this input and filter. A quantized bias gets the scale
  // input * filter, that of the accumulators to which TFLite adds it. The fused form needs a bias: zeros
  // of shape [channels] if the node has none. Invalid also when there is none to add.
  Operand Bias(const OpView& op, int i, const TensorView& input, const TensorView& filter, int channels);
  // A variable tensor's value before and after the run: an input and an output of the graph for the same tensor,
  // which TFLite's memory holds between runs.
  Operand StateTensor(const TensorView& tensor) { return RawTensor(tensor); }
  void SetState(const TensorView& tensor, Operand operand);

  // `values` must have as many elements as `shape`.
  Operand Constant(const std::vector<int>& shape, const std::vector<float>& values);
  Operand Constant(const std::vector<int>& shape, const std::vector<int32_t>& values);
  // Integers as a constant of any type, which must be able to hold them.
  Operand Constant(DataType type, const std::vector<int>& shape, const std::vector<int64_t>& values);

  // A constant tensor of the model, its axes permuted once, while the graph is built.
  Operand TransposedConstant(const TensorView& tensor, const std::vector<int>& permutation);

  // Calls a method with one result of the given descriptor, checking each operand and the result
  // against opSupportLimits().
  Operand Emit(const Call& call, const OperandDescriptor& output);
  // A method with several results (split). The limits name them "outputs".
  std::vector<Operand> EmitMany(const Call& call, const std::vector<OperandDescriptor>& outputs);

  Operand Unary(const char* op, Operand x, std::vector<Option> options = {});
  Operand Binary(const char* op, Operand a, Operand b);   // numpy broadcasting
  Operand Compare(const char* op, Operand a, Operand b);  // to truth values, which are uint8
  Operand Where(Operand condition, Operand if_true, Operand if_false);
  Operand Reshape(Operand x, const std::vector<int>& shape);
  Operand Transpose(Operand x, const std::vector<int>& permutation);
  // Transposes the elements of x as those of an operand of this shape. Axes that stay neighbours in the same order are
  // one axis of the result, and those of size 1 are left out.
  Operand TransposeMerged(Operand x, const std::vector<int>& shape, const std::vector<int>& permutation);
  Operand Slice(Operand x, const std::vector<int>& starts, const std::vector<int>& sizes,
                const std::vector<int>& strides);
  Operand Concat(const std::vector<Operand>& inputs, int axis);
  Operand Reverse(Operand x, const std::vector<int>& axes);
  // Takes indices of any rank: reshapes those of ranks that the context cannot take.
  Operand Gather(Operand x, Operand indices, int axis);
  Operand Gather(Operand x, const std::vector<int32_t>& indices, int axis);
  Operand GatherNd(Operand x, Operand indices);
  Operand Cast(Operand x, DataType type);
  Operand Clamp(Operand x, float min_value, float max_value);
  Operand Activation(Operand x, TfLiteFusedActivation activation);
  // The same for the node's first output: left out if the output's integers cannot exceed its bounds; between its
  // own quantizeLinear and dequantizeLinear if engines fuse it only there.
  Operand OutputActivation(const OpView& op, Operand x, TfLiteFusedActivation activation);
  // In the fused form dequantizeLinear(quantizeLinear(x)) with the tensor's parameters, else x.
  Operand Requantize(Operand x, const TensorView& tensor);

  // Binds the node's i-th output. Rejects a shape or type other than the TFLite tensor's.
  void SetOutput(const OpView& op, int i, Operand operand);

  // Marks the node as not expressible; `reason` says what was found and what would be needed.
  // Always returns an invalid operand.
  Operand Reject(std::string reason);
  // The same for bugs, without which the node would be expressible.
  Operand Reject(std::string reason, Workarounds because);
  // What the node used, or why it was rejected. When emitting, all nodes' together.
  const Workarounds& used_workarounds() const { return graph_->workarounds; }
  // Whether a lowering may make a constant of this size, a table of indices or weights; false after a rejection.
  bool CanMake(int64_t element_count);
  // Whether the operator's result may have so many axes.
  bool TakesRank(const char* op, int rank) const;
  bool TakesType(const char* op, const char* operand, DataType type) const;
  // Whether the operand may have so many axes; a limit that works around a bug counts as used.
  bool TakesRank(const char* op, const char* operand, int rank);
  // Whether to work around a bug that the node meets; it then counts as used.
  bool WorksAround(Workaround workaround);
  bool rejected() const { return !rejection_.empty(); }
  const std::string& rejection() const { return rejection_; }

  const OperandDescriptor& descriptor(Operand operand) const { return descriptors_[operand.id]; }
  // Whether the operator that gives an operand, after a dequantizeLinear, only moves integers. Only when emitting.
  bool KeepsIntegers(Operand operand) const;
  // What the node has become so far.
  std::span<const WebnnGraph::Operator> node_operators() const {
    return std::span(graph_->operators).subspan(first_operator_);
  }
  const std::vector<int>& shape(Operand operand) const { return descriptors_[operand.id].shape; }

  // Makes a TFLite tensor an output of the graph. Only when emitting.
  void AddOutput(const TensorView& tensor);
  // Makes the tensors of SetState() outputs of the graph. Only when emitting.
  void AddStateOutputs();

 private:
  bool emitting() const { return graph_ != &scratch_; }
  Operand NewOperand(const OperandDescriptor& descriptor);
  bool CheckOperand(const char* op, const char* name, Operand operand);
  bool CheckCall(const Call& call);
  bool CheckPermutation(const std::vector<int>& permutation, int rank);
  void Append(const Call& call, std::vector<Operand> outputs);
  Operand KeepQuantization(const Call& call, Operand output);

  bool DescribeTensor(const TensorView& tensor, DataType type, OperandDescriptor* descriptor);
  bool DescribeRawTensor(const TensorView& tensor, OperandDescriptor* descriptor);
  bool CheckGraphOperand(const TensorView& tensor, const OperandDescriptor& descriptor, const char* kind);
  Operand AddInput(const TensorView& tensor, const OperandDescriptor& descriptor);
  Operand AddConstant(const TensorView& tensor, const OperandDescriptor& descriptor);
  Operand AddOwnedConstant(const OperandDescriptor& descriptor, const void* data);
  // A constant whose content outlives the builder, or is kept.
  Operand AddConstantAt(const OperandDescriptor& descriptor, const void* data);
  Operand AddMadeConstant(const OperandDescriptor& descriptor, WebnnGraph::MakeBytes make);
  Operand FloatConstant(const TensorView& tensor);
  Operand HeldTensor(const TensorView& tensor);
  Operand SharedConstant(const OperandDescriptor& descriptor, const void* data);

  bool ReadQuantization(const TensorView& tensor, AffineQuantization* quantization);
  bool IsHeldInFloat(const TensorView& tensor) const;
  Operand QuantizedTensor(const TensorView& tensor);
  bool TakesQuantized(TfLiteType type, int rank) const;
  Operand Flat(Operand x);
  Operand Scales(const AffineQuantization& quantization, int rank);
  Operand ZeroPoints(const AffineOperand& affine, int rank);
  Operand Quantize(Operand x, const AffineOperand& affine);
  Operand Dequantize(Operand raw, const AffineOperand& affine);
  Operand WidenedInput(const TensorView& tensor, const AffineQuantization& quantization);
  Operand NarrowedOutput(const TensorView& tensor, Operand x);
  void SetQuantizedOutput(const TensorView& tensor, Operand operand);
  Operand DequantizedBias(const TensorView& bias, AffineQuantization quantization);
  // The result of a call with two operands; false after a rejection.
  bool DescribeBroadcast(const char* op, Operand a, Operand b, OperandDescriptor* output);
  // Merges axes where the result has more than the operator takes.
  Operand EmitBroadcast(const char* op, Operand a, Operand b, const OperandDescriptor& output);

  const OpSupportLimits* limits_;
  const GraphView* view_;
  WebnnGraph scratch_;         // of the node being checked
  int64_t made_elements_ = 0;  // of large constants that CanMake() allowed checks
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
  std::string rejection_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_BUILDER_H_
