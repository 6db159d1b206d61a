#ifndef TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_BUILDER_H_
#define TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_BUILDER_H_

#include <map>
#include <vector>

#include "delegate/builder/quantization_emitter.h"

namespace tflite::webnn {

// Lowering functions write to a GraphBuilder. Without a graph it only checks whether a node can be
// lowered; with a graph it also emits. Both run the same lowering function, so the check and the
// emitted operators cannot diverge.
//
// This class turns the model's tensors into operands and back. What it builds on has a class each: GraphEmitter calls
// WebNN's operators within the limits, ConstantEmitter makes constants, QuantizationEmitter quantizes.
//
// Lowering functions see real numbers only. For a quantized tensor Tensor() returns the result of
// dequantizeLinear, and SetOutput() adds quantizeLinear. In the fused form each operator that only moves
// values gets its own pair, so that no integer loses its scale.
class GraphBuilder final : public QuantizationEmitter {
 public:
  // `graph` may be null (check only). All must outlive the builder.
  GraphBuilder(const OpSupportLimits* limits, const GraphView* view, WebnnGraph* graph)
      : QuantizationEmitter(limits, view, graph) {}

  // Starts the next node: clears the rejection, and labels what is emitted from here on. `form` says how
  // to lower the node's quantized tensors.
  void BeginNode(const OpView& op, QuantizedForm form);

  // The operand of a node's input: an earlier result, a constant, or an input of the graph.
  // float32 for quantized tensors. Rejects types that WebNN lacks.
  Operand Tensor(const TensorView& tensor) { return Reshape(Elements(tensor), tensor.shape()); }
  // The same in any shape, for lowerings that need only the elements: Tensor(), if HasAnyShape() is false.
  Operand Elements(const TensorView& tensor);
  // The integers of a tensor, without scale and zero point: for ops that read int8 as plain integers.
  Operand RawTensor(const TensorView& tensor) { return Reshape(HeldTensor(tensor), tensor.shape()); }
  // The bias of a convolution or a FULLY_CONNECTED with this input and filter. A quantized bias gets the scale
  // input * filter, that of the accumulators to which TFLite adds it. The fused form needs a bias: zeros
  // of shape [channels] if the node has none. Invalid also when there is none to add.
  Operand Bias(const OpView& op, int i, const TensorView& input, const TensorView& filter, int channels);
  // A variable tensor's value before and after the run: an input and an output of the graph for the same tensor,
  // which TFLite's memory holds between runs.
  Operand StateTensor(const TensorView& tensor) { return RawTensor(tensor); }
  void SetState(const TensorView& tensor, Operand operand);

  // Binds the node's i-th output. Rejects a shape or type other than the TFLite tensor's.
  void SetOutput(const OpView& op, int i, Operand operand);

  // Makes a TFLite tensor an output of the graph. Only when emitting.
  void AddOutput(const TensorView& tensor);
  // Makes the tensors of SetState() outputs of the graph. Only when emitting.
  void AddStateOutputs();

 private:
  Operand HeldTensor(const TensorView& tensor);
  Operand QuantizedTensor(const TensorView& tensor);
  Operand AddInput(const TensorView& tensor, const OperandDescriptor& descriptor);
  Operand WidenedInput(const TensorView& tensor, const AffineQuantization& quantization);
  Operand NarrowedOutput(const TensorView& tensor, Operand x);
  void SetQuantizedOutput(const TensorView& tensor, Operand operand);
  Operand DequantizedBias(const TensorView& bias, AffineQuantization quantization);

  std::map<int, Operand> raw_operands_;    // by TFLite tensor index
  std::map<int, Operand> float_operands_;  // of quantized tensors, by TFLite tensor index
  std::vector<TensorView> states_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_BUILDER_GRAPH_BUILDER_H_
