#ifndef TFLITE_WEBNN_DELEGATE_BUILDER_QUANTIZATION_EMITTER_H_
#define TFLITE_WEBNN_DELEGATE_BUILDER_QUANTIZATION_EMITTER_H_

#include <string>
#include <vector>

#include "delegate/builder/constant_emitter.h"
#include "delegate/quantization/fusion.h"
#include "delegate/quantization/quantized_form.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tflite::webnn {

// Whether the tensor is float32 within a graph and int32 at its boundary: quantized int16, which WebNN does not have.
bool IsHeldInFloat(const TensorView& tensor);

// Quantized operands, the third part of GraphBuilder: conversions between integers and real numbers, and the form of
// each operator that engines fuse.
class QuantizationEmitter : public ConstantEmitter {
 public:
  QuantizedForm form() const { return form_; }
  // An error with the condition that keeps engines from computing this node in integers, if any.
  Status CheckFusion() const;
  // Whether the operator that computes an operand, after a dequantizeLinear, only moves integers. Only when emitting.
  bool KeepsIntegers(Operand operand) const;
  // Whether quantized operands may not have as many axes as this tensor: an operand of another shape holds its
  // elements, and SetOutput() accepts one.
  bool HasAnyShape(const TensorView& tensor) const;

  // Chromium's GPU process crashes where both operands are one result of dequantizeLinear, as in a test for NaN.
  Operand Compare(const char* op, Operand a, Operand b);
  // A constant tensor of the model, its axes permuted once, while the graph is built.
  Operand TransposedConstant(const TensorView& tensor, const std::vector<int>& permutation);
  using ConstantEmitter::Gather;
  Operand Gather(Operand x, const std::vector<int32_t>& indices, int axis);
  Operand Reverse(Operand x, const std::vector<int>& axes);
  Operand Activation(Operand x, TfLiteFusedActivation activation);
  // The same for the node's first output: left out if the output's integers cannot exceed its bounds; between its
  // own quantizeLinear and dequantizeLinear if engines fuse it only there.
  Operand OutputActivation(const OpView& op, Operand x, TfLiteFusedActivation activation);
  // In the fused form dequantizeLinear(quantizeLinear(x)) with the tensor's parameters, else x.
  Operand Requantize(Operand x, const TensorView& tensor);

 protected:
  using ConstantEmitter::ConstantEmitter;
  ~QuantizationEmitter() = default;

  void BeginNode(std::string label, QuantizedForm form);
  bool AcceptsQuantized(TfLiteType type, int rank) const;
  Operand Flat(Operand x) { return Reshape(x, {static_cast<int>(descriptor(x).element_count())}); }
  Operand Quantize(Operand x, const AffineOperand& affine);
  Operand Dequantize(Operand raw, const AffineOperand& affine);
  // What x was dequantized from, if with these parameters; else invalid.
  Operand RawOf(Operand x, const AffineOperand& affine) const;
  Operand KeepQuantization(const Call& call, Operand output) final;

 private:
  Operand Convert(const char* op, Operand x, const AffineOperand& affine, DataType type);

  QuantizedForm form_ = QuantizedForm::kNone;
  QuantizedOperands operands_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_BUILDER_QUANTIZATION_EMITTER_H_
