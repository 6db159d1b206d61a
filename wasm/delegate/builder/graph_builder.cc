#include "delegate/builder/graph_builder.h"

#include <algorithm>

#include "delegate/constants/constant_data.h"

namespace tflite::webnn {

void GraphBuilder::BeginNode(const OpView& op, QuantizedForm form) {
  QuantizationEmitter::BeginNode(op.label(), form);
  if (emitting()) return;
  raw_operands_.clear();
  float_operands_.clear();
  states_.clear();
}

Operand GraphBuilder::Elements(const TensorView& tensor) {
  if (rejected()) return Operand();
  if (tensor.tensor().is_variable) return Reject(tensor.text() + " is a variable");
  return IsQuantized(tensor.tensor()) ? QuantizedTensor(tensor) : HeldTensor(tensor);
}

Operand GraphBuilder::HeldTensor(const TensorView& tensor) {
  const auto known = raw_operands_.find(tensor.index());
  if (known != raw_operands_.end()) return known->second;
  OperandDescriptor descriptor;
  if (!DescribeRawTensor(tensor, &descriptor)) return Operand();
  const Operand operand = tensor.IsConstant() ? ModelConstant(tensor, descriptor) : AddInput(tensor, descriptor);
  if (operand.valid()) raw_operands_[tensor.index()] = operand;
  return operand;
}

Operand GraphBuilder::AddInput(const TensorView& tensor, const OperandDescriptor& descriptor) {
  if (!CheckGraphOperand(tensor, descriptor, "input")) return Operand();
  const Operand operand = NewOperand(descriptor);
  if (emitting()) graph().inputs.push_back({operand, tensor.index(), descriptor, IsHeldInFloat(tensor)});
  return operand;
}

Operand GraphBuilder::QuantizedTensor(const TensorView& tensor) {
  if (tensor.IsConstant() && form() != QuantizedForm::kFused) return FloatConstant(tensor);
  const auto known = float_operands_.find(tensor.index());
  if (known != float_operands_.end()) return known->second;
  AffineQuantization quantization;
  if (!ReadQuantization(tensor, &quantization)) return Operand();
  Operand operand;
  if (IsHeldInFloat(tensor)) {
    operand =
        tensor.IsConstant() ? Reject(tensor.text() + " is an int16 constant") : WidenedInput(tensor, quantization);
  } else {
    if (!tensor.IsConstant() && tensor.type() != kTfLiteInt8 && tensor.type() != kTfLiteUInt8) {
      return Reject(tensor.text() + " is quantized " + TfLiteTypeGetName(tensor.type()) + " and not constant");
    }
    const Operand raw = HeldTensor(tensor);
    const bool is_too_deep = HasAnyShape(tensor) && !AcceptsRank("dequantizeLinear", descriptor(raw).rank());
    operand = Dequantize(is_too_deep ? Flat(raw) : raw, {descriptor(raw).data_type, std::move(quantization)});
  }
  if (operand.valid()) float_operands_[tensor.index()] = operand;
  return operand;
}

Operand GraphBuilder::WidenedInput(const TensorView& tensor, const AffineQuantization& quantization) {
  OperandDescriptor wide;
  if (!DescribeTensor(tensor, DataType::kInt32, &wide)) return Operand();
  if (!quantization.per_tensor() || quantization.zero_points[0] != 0) {
    return Reject(tensor.text() + " is int16 with a zero point, or with several scales");
  }
  const Operand integers = Cast(AddInput(tensor, wide), DataType::kFloat32);
  return Binary("mul", integers, Constant({}, quantization.scales));
}

Operand GraphBuilder::NarrowedOutput(const TensorView& tensor, Operand x) {
  AffineQuantization quantization;
  if (!ReadQuantization(tensor, &quantization)) return Operand();
  const IntegerRange range = RangeOf(tensor.type());
  const int zero_point = quantization.zero_points[0];
  Operand integers = Unary("roundEven", Binary("div", x, Constant({}, quantization.scales)));
  // TFLite's softmax uses the smallest integer for 0.
  if (zero_point != 0) integers = Binary("add", integers, Scalar(static_cast<float>(zero_point)));
  return Cast(Clamp(integers, static_cast<float>(range.min), static_cast<float>(range.max)), DataType::kInt32);
}

void GraphBuilder::SetQuantizedOutput(const TensorView& tensor, Operand operand) {
  AffineQuantization quantization;
  OperandDescriptor expected;
  if (!ReadQuantization(tensor, &quantization) || !DescribeTensor(tensor, DataType::kFloat32, &expected)) return;
  const bool has_any_shape = HasAnyShape(tensor);
  const bool fits = has_any_shape ? descriptor(operand).element_count() == expected.element_count()
                                  : shape(operand) == expected.shape;
  if (!fits) {
    Reject("WebNN returns " + ShapeText(shape(operand)) + ", but " + tensor.text() + " is " +
           ShapeText(expected.shape));
    return;
  }
  if (IsHeldInFloat(tensor)) {
    if (!quantization.per_tensor()) {
      Reject(tensor.text() + " is int16 with several scales");
      return;
    }
    const IntegerRange range = RangeOf(tensor.type());
    const float scale = quantization.scales[0];
    const int zero_point = quantization.zero_points[0];
    if (has_any_shape && !AcceptsQuantized(tensor.type(), descriptor(operand).rank())) operand = Flat(operand);
    // Saturates as TFLite's integers do, but does not round.
    float_operands_[tensor.index()] =
        Clamp(operand, (range.min - zero_point) * scale, (range.max - zero_point) * scale);
    // It may be an output of its partition.
    if (!emitting()) Reshape(NarrowedOutput(tensor, operand), expected.shape);
    return;
  }
  if (tensor.type() != kTfLiteInt8 && tensor.type() != kTfLiteUInt8) {
    Reject(tensor.text() + " is quantized " + TfLiteTypeGetName(tensor.type()) + ", WebNN quantizes to int8 and uint8");
    return;
  }
  const AffineOperand affine{*DataTypeFromTfLite(tensor.type()), std::move(quantization)};
  const bool is_too_deep = has_any_shape && !AcceptsQuantized(tensor.type(), descriptor(operand).rank());
  Operand raw = RawOf(operand, affine);
  if (!raw.valid()) raw = Quantize(is_too_deep ? Flat(operand) : operand, affine);
  if (raw.valid()) raw_operands_[tensor.index()] = raw;
  if (!emitting()) Reshape(raw, expected.shape);  // the same
}

Operand GraphBuilder::DequantizedBias(const TensorView& bias, AffineQuantization quantization) {
  if (form() == QuantizedForm::kFused) {
    const Operand raw = RawTensor(bias);
    return Dequantize(raw, {descriptor(raw).data_type, std::move(quantization)});
  }
  OperandDescriptor target;
  if (!DescribeTensor(bias, DataType::kFloat32, &target)) return Operand();
  const bool is_integer = bias.type() == kTfLiteInt32 || bias.type() == kTfLiteInt64;
  if (!is_integer || !bias.IsConstant() || bias.IsCompressed()) {
    return Reject(bias.text() + " is no constant int32 or int64 bias");
  }
  if (!CheckData(bias)) return Operand();
  if (!emitting()) return NewOperand(target);
  return OwnedConstant(target, ScaleIntegers(bias.tensor(), quantization).data());
}

Operand GraphBuilder::Bias(const OpView& op, int i, const TensorView& input, const TensorView& filter, int channels) {
  if (rejected()) return Operand();
  const bool has_bias = op.HasInput(i);
  if (!IsQuantized(input.tensor()) || !IsQuantized(filter.tensor())) {
    // TFLite compares only the number of elements: a column would be broadcast along the other axis.
    return has_bias ? Reshape(Tensor(op.input(i)), {channels}) : Operand();
  }
  AffineQuantization input_quantization, quantization;
  if (!ReadQuantization(input, &input_quantization) || !ReadQuantization(filter, &quantization)) return Operand();
  for (float& scale : quantization.scales) scale *= input_quantization.scales[0];
  std::fill(quantization.zero_points.begin(), quantization.zero_points.end(), 0);
  quantization.dimension = 0;
  if (!quantization.per_tensor() && static_cast<int>(quantization.scales.size()) != channels) {
    return Reject(filter.text() + " has scales along another dimension than the output channels");
  }
  if (has_bias) {
    const std::vector<int> shape = op.input(i).shape();
    if (shape != std::vector<int>{channels})
      return Reject("the bias is " + ShapeText(shape) + ", one number a channel is needed");
    return op.input(i).type() == kTfLiteFloat32 ? Tensor(op.input(i))
                                                : DequantizedBias(op.input(i), std::move(quantization));
  }
  if (form() != QuantizedForm::kFused) return Operand();
  const Operand zeros = Constant({channels}, std::vector<int32_t>(channels, 0));
  return Dequantize(zeros, {DataType::kInt32, std::move(quantization)});
}

void GraphBuilder::SetOutput(const OpView& op, int i, Operand operand) {
  if (rejected()) return;
  const TensorView tensor = op.output(i);
  if (IsQuantized(tensor.tensor()) && descriptor(operand).data_type == DataType::kFloat32) {
    SetQuantizedOutput(tensor, operand);
    return;
  }
  OperandDescriptor expected;
  if (!DescribeRawTensor(tensor, &expected)) return;
  const OperandDescriptor& found = descriptor(operand);
  if (!(found == expected)) {
    Reject("WebNN returns " + std::string(DataTypeName(found.data_type)) + ShapeText(found.shape) + ", but " +
           tensor.text() + " is " + DataTypeName(expected.data_type) + ShapeText(expected.shape));
    return;
  }
  raw_operands_[tensor.index()] = operand;
}

void GraphBuilder::SetState(const TensorView& tensor, Operand operand) {
  OperandDescriptor expected;
  if (rejected() || !DescribeRawTensor(tensor, &expected)) return;
  if (!(descriptor(operand) == expected)) {
    Reject("WebNN returns the state in another type or shape than " + tensor.text());
    return;
  }
  raw_operands_[tensor.index()] = operand;
  states_.push_back(tensor);
}

void GraphBuilder::AddStateOutputs() {
  for (const TensorView& tensor : states_) AddOutput(tensor);
}

void GraphBuilder::AddOutput(const TensorView& tensor) {
  set_label("output:" + std::to_string(tensor.index()));
  const bool widened = IsHeldInFloat(tensor);
  if ((widened ? float_operands_ : raw_operands_).count(tensor.index()) == 0) {
    Reject("no node of the partition produces " + tensor.text());
    return;
  }
  Operand operand =
      widened ? NarrowedOutput(tensor, float_operands_.at(tensor.index())) : raw_operands_.at(tensor.index());
  operand = Reshape(operand, tensor.shape());
  const auto is_operand = [operand](const auto& other) { return other.operand.id == operand.id; };
  // A built graph's outputs must be results of operators, each once.
  const bool needs_identity = std::any_of(graph().inputs.begin(), graph().inputs.end(), is_operand) ||
                              std::any_of(graph().constants.begin(), graph().constants.end(), is_operand) ||
                              std::any_of(graph().outputs.begin(), graph().outputs.end(), is_operand);
  if (needs_identity) operand = Unary("identity", operand);
  if (operand.valid()) graph().outputs.push_back({operand, tensor.index(), descriptor(operand), widened});
}

}  // namespace tflite::webnn
