// Quantized tensors: dequantizeLinear before a lowering function reads one, quantizeLinear after it writes one.
#include <algorithm>
#include <limits>

#include "delegate/builder/graph_builder.h"
#include "delegate/constants/constant_data.h"

namespace tflite::webnn {

bool GraphBuilder::ReadQuantization(const TensorView& tensor, AffineQuantization* quantization) {
  std::string error;
  auto read = ReadAffineQuantization(tensor.tensor(), &error);
  if (!read) {
    Reject(tensor.text() + " " + error);
    return false;
  }
  *quantization = std::move(*read);
  return true;
}

// WebNN has no int16: these activations are float32 within a graph and int32 at its border.
bool GraphBuilder::IsHeldInFloat(const TensorView& tensor) const {
  return tensor.type() == kTfLiteInt16 && IsQuantized(tensor.tensor());
}

bool GraphBuilder::TakesQuantized(TfLiteType type, int rank) const {
  if (type == kTfLiteInt16) return TakesRank("clamp", rank);
  return TakesRank("quantizeLinear", rank) && TakesRank("dequantizeLinear", rank);
}

bool GraphBuilder::HasAnyShape(const TensorView& tensor) const {
  if (tensor.IsConstant() || !IsQuantized(tensor.tensor())) return false;
  if (TakesQuantized(tensor.type(), tensor.rank())) return false;
  std::string error;
  const auto quantization = ReadAffineQuantization(tensor.tensor(), &error);
  return quantization && quantization->per_tensor();
}

Operand GraphBuilder::Flat(Operand x) {
  return rejected() ? x : Reshape(x, {static_cast<int>(descriptor(x).element_count())});
}

Operand GraphBuilder::QuantizedTensor(const TensorView& tensor) {
  if (tensor.IsConstant() && form_ != QuantizedForm::kFused) return FloatConstant(tensor);
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
    Operand raw = HeldTensor(tensor);
    if (rejected()) return Operand();
    if (HasAnyShape(tensor) && !TakesRank("dequantizeLinear", descriptor(raw).rank())) raw = Flat(raw);
    if (rejected()) return Operand();
    operand = Dequantize(raw, {descriptor(raw).data_type, std::move(quantization)});
  }
  if (operand.valid()) float_operands_[tensor.index()] = operand;
  return operand;
}

Operand GraphBuilder::FloatConstant(const TensorView& tensor) {
  const auto known = float_constants_.find(tensor.index());
  if (known != float_constants_.end()) return known->second;
  OperandDescriptor target;
  AffineQuantization quantization;
  std::string error;
  const TfLiteBlockwiseQuantization* blocks = BlocksOf(tensor.tensor());
  if (!DescribeTensor(tensor, DataType::kFloat32, &target)) return Operand();
  if (blocks == nullptr && !ReadQuantization(tensor, &quantization)) return Operand();
  if (!CheckGraphOperand(tensor, target, "constant")) return Operand();
  if (!CheckConstantData(tensor, &error)) return Reject(tensor.text() + " " + error);
  const bool has_scales =
      blocks != nullptr && blocks->scale >= 0 && blocks->scale < static_cast<int>(view_->context()->tensors_size);
  const TensorView scales = view_->tensor(has_scales ? blocks->scale : tensor.index());
  if (blocks != nullptr && !CheckBlocks(tensor, scales, &error)) return Reject(tensor.text() + " " + error);
  const bool has_blocks = blocks != nullptr;
  const Operand operand = AddMadeConstant(target, [=](ByteRange part) {
    return has_blocks ? UnpackBlocks(tensor, scales, part) : UnpackFloats(tensor, part);
  });
  float_constants_[tensor.index()] = operand;
  return operand;
}

// WebNN requires scale and zero point to have the rank of the tensor, with size 1 where they do not vary.
Operand GraphBuilder::Scales(const AffineQuantization& quantization, int rank) {
  OperandDescriptor target{DataType::kFloat32, std::vector<int>(rank, 1)};
  if (!quantization.per_tensor()) target.shape[quantization.dimension] = static_cast<int>(quantization.scales.size());
  return SharedConstant(target, quantization.scales.data());
}

Operand GraphBuilder::ZeroPoints(const AffineOperand& affine, int rank) {
  OperandDescriptor target{affine.type, std::vector<int>(rank, 1)};
  const AffineQuantization& quantization = affine.quantization;
  if (!quantization.per_tensor()) target.shape[quantization.dimension] = static_cast<int>(quantization.scales.size());
  if (affine.type == DataType::kInt32) return SharedConstant(target, quantization.zero_points.data());
  std::vector<uint8_t> bytes;
  for (int zero_point : quantization.zero_points) bytes.push_back(static_cast<uint8_t>(zero_point));
  return SharedConstant(target, bytes.data());
}

Operand GraphBuilder::Quantize(Operand x, const AffineOperand& affine) {
  if (rejected()) return Operand();
  const int rank = descriptor(x).rank();
  const Operand scale = Scales(affine.quantization, rank);
  const Operand zero_point = ZeroPoints(affine, rank);
  const OperandDescriptor target{affine.type, shape(x)};
  const Operand raw = Emit({"quantizeLinear", {{"input", x}, {"scale", scale}, {"zeroPoint", zero_point}}}, target);
  if (raw.valid()) quantized_operands_.quantized[x.id] = affine;
  return raw;
}

Operand GraphBuilder::Dequantize(Operand raw, const AffineOperand& affine) {
  if (rejected()) return Operand();
  const int rank = descriptor(raw).rank();
  const Operand scale = Scales(affine.quantization, rank);
  const Operand zero_point = ZeroPoints(affine, rank);
  const OperandDescriptor target{DataType::kFloat32, shape(raw)};
  const Operand x = Emit({"dequantizeLinear", {{"input", raw}, {"scale", scale}, {"zeroPoint", zero_point}}}, target);
  if (x.valid()) {
    quantized_operands_.dequantized[x.id] = affine;
    quantized_operands_.raw[x.id] = raw;
  }
  return x;
}

Operand GraphBuilder::WidenedInput(const TensorView& tensor, const AffineQuantization& quantization) {
  OperandDescriptor wide;
  if (!DescribeTensor(tensor, DataType::kInt32, &wide)) return Operand();
  if (!quantization.per_tensor() || quantization.zero_points[0] != 0) {
    return Reject(tensor.text() + " is int16 with a zero point, or with several scales");
  }
  const Operand integers = Cast(AddInput(tensor, wide), DataType::kFloat32);
  return rejected() ? Operand() : Binary("mul", integers, Constant({}, quantization.scales));
}

Operand GraphBuilder::NarrowedOutput(const TensorView& tensor, Operand x) {
  AffineQuantization quantization;
  if (!ReadQuantization(tensor, &quantization)) return Operand();
  const IntegerRange range = RangeOf(tensor.type());
  const int zero_point = quantization.zero_points[0];
  Operand integers = Unary("roundEven", Binary("div", x, Constant({}, quantization.scales)));
  // TFLite's softmax uses the smallest integer for 0.
  if (zero_point != 0)
    integers = Binary("add", integers, Constant({}, std::vector<float>{static_cast<float>(zero_point)}));
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
    Reject("WebNN gives " + ShapeText(shape(operand)) + ", but " + tensor.text() + " is " + ShapeText(expected.shape));
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
    if (has_any_shape && !TakesQuantized(tensor.type(), descriptor(operand).rank())) operand = Flat(operand);
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
  const auto known = quantized_operands_.dequantized.find(operand.id);
  const bool is_quantized_so = known != quantized_operands_.dequantized.end() && known->second == affine;
  const bool is_too_deep = has_any_shape && !TakesQuantized(tensor.type(), descriptor(operand).rank());
  const Operand raw = is_quantized_so ? quantized_operands_.raw.at(operand.id)
                                      : Quantize(is_too_deep ? Flat(operand) : operand, affine);
  if (raw.valid()) raw_operands_[tensor.index()] = raw;
  if (!emitting()) Reshape(raw, expected.shape);  // the same
}

Operand GraphBuilder::Requantize(Operand x, const TensorView& tensor) {
  if (rejected() || form_ != QuantizedForm::kFused || !IsQuantized(tensor.tensor())) return x;
  const auto type = DataTypeFromTfLite(tensor.type());
  AffineQuantization quantization;
  if (!type || !ReadQuantization(tensor, &quantization)) return Reject(tensor.text() + " has no fused form");
  const AffineOperand affine{*type, std::move(quantization)};
  return Dequantize(Quantize(x, affine), affine);
}

// Adds a quantizeLinear with the input's parameters, and a dequantizeLinear for the next operator. Without them, where
// they do not take the rank, the node fails a condition of fusion.
Operand GraphBuilder::KeepQuantization(const Call& call, Operand output) {
  if (form_ != QuantizedForm::kFused || !MovesValues(call.op)) return output;
  if (!TakesQuantized(kTfLiteInt8, descriptor(output).rank())) return output;
  const auto* list = call.arguments.empty() ? nullptr : std::get_if<std::vector<Operand>>(&call.arguments[0]);
  const Operand input = list != nullptr ? (*list)[0] : call.operands[0].operand;
  const auto found = quantized_operands_.dequantized.find(input.id);
  if (found == quantized_operands_.dequantized.end()) return output;
  const AffineOperand affine = found->second;
  return affine.quantization.per_tensor() ? Dequantize(Quantize(output, affine), affine) : output;
}

Operand GraphBuilder::OutputActivation(const OpView& op, Operand x, TfLiteFusedActivation activation) {
  if (rejected() || activation == kTfLiteActNone) return x;
  const TensorView tensor = op.output(0);
  if (!IsQuantized(tensor.tensor())) return Activation(x, activation);
  AffineQuantization quantization;
  if (!ReadQuantization(tensor, &quantization)) return Operand();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float min = activation == kTfLiteActReluN1To1 ? -1.0f : 0.0f;
  const float max = activation == kTfLiteActRelu ? kInfinity : activation == kTfLiteActRelu6 ? 6.0f : 1.0f;
  const bool known = activation == kTfLiteActRelu || activation == kTfLiteActRelu6 || activation == kTfLiteActReluN1To1;
  if (known && ImpliesClamp(tensor.type(), quantization, min, max)) return x;
  // Engines fuse an activation into convolutions only.
  const std::string_view producer = graph_->operators.back().op;
  const bool is_convolution = producer == "conv2d" || producer == "convTranspose2d";
  return Activation(is_convolution ? x : Requantize(x, tensor), activation);
}

Operand GraphBuilder::DequantizedBias(const TensorView& bias, AffineQuantization quantization) {
  if (form_ == QuantizedForm::kFused) {
    const Operand raw = RawTensor(bias);
    return rejected() ? Operand() : Dequantize(raw, {descriptor(raw).data_type, std::move(quantization)});
  }
  OperandDescriptor target;
  if (!DescribeTensor(bias, DataType::kFloat32, &target)) return Operand();
  const bool is_integer = bias.type() == kTfLiteInt32 || bias.type() == kTfLiteInt64;
  if (!is_integer || !bias.IsConstant() || bias.IsPacked()) {
    return Reject(bias.text() + " is no constant int32 or int64 bias");
  }
  std::string error;
  if (!CheckConstantData(bias, &error)) return Reject(bias.text() + " " + error);
  if (!emitting()) return NewOperand(target);
  return AddOwnedConstant(target, ScaleIntegers(bias.tensor(), quantization).data());
}

Operand GraphBuilder::Bias(const OpView& op, int i, const TensorView& input, const TensorView& filter, int channels) {
  if (rejected()) return Operand();
  const bool has_bias = op.HasInput(i);
  if (!IsQuantized(input.tensor()) || !IsQuantized(filter.tensor())) {
    return has_bias ? Tensor(op.input(i)) : Operand();
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
  if (form_ != QuantizedForm::kFused) return Operand();
  const Operand zeros = Constant({channels}, std::vector<int32_t>(channels, 0));
  return Dequantize(zeros, {DataType::kInt32, std::move(quantization)});
}

}  // namespace tflite::webnn
