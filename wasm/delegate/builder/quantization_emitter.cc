#include "delegate/builder/quantization_emitter.h"

#include <algorithm>
#include <limits>
#include <ranges>

#include "delegate/constants/constant_data.h"

namespace tflite::webnn {
namespace {

bool AreDistinctAxes(std::vector<int> axes, int rank) {
  std::sort(axes.begin(), axes.end());
  const bool are_axes = axes.empty() || (axes.front() >= 0 && axes.back() < rank);
  return are_axes && std::adjacent_find(axes.begin(), axes.end()) == axes.end();
}

}  // namespace

void QuantizationEmitter::BeginNode(std::string label, QuantizedForm form) {
  ConstantEmitter::BeginNode(std::move(label));
  form_ = form;
  if (!emitting()) operands_ = QuantizedOperands();
}

Status QuantizationEmitter::CheckFusion() const {
  return webnn::CheckFusion({graph(), graph().operators.size() - node_operators().size(), operands_, descriptors()});
}

bool QuantizationEmitter::KeepsIntegers(Operand operand) const {
  constexpr std::string_view kOps[] = {"reduceMax", "reduceMin", "slice", "split", "transpose"};
  const auto is_operand = [&](Operand output) { return output.id == operand.id; };
  for (const WebnnGraph::Operator& node : std::views::reverse(graph().operators)) {
    if (std::none_of(node.outputs.begin(), node.outputs.end(), is_operand)) continue;
    const auto* input = std::get_if<Operand>(&node.arguments.front());
    return input != nullptr && operands_.dequantized.count(input->id) > 0 &&
           std::find(std::begin(kOps), std::end(kOps), node.op) != std::end(kOps);
  }
  return false;
}

bool IsHeldInFloat(const TensorView& tensor) { return tensor.type() == kTfLiteInt16 && IsQuantized(tensor.tensor()); }

bool QuantizationEmitter::AcceptsQuantized(TfLiteType type, int rank) const {
  if (type == kTfLiteInt16) return AcceptsRank("clamp", rank);
  return AcceptsRank("quantizeLinear", rank) && AcceptsRank("dequantizeLinear", rank);
}

bool QuantizationEmitter::HasAnyShape(const TensorView& tensor) const {
  if (tensor.IsConstant() || !IsQuantized(tensor.tensor())) return false;
  if (AcceptsQuantized(tensor.type(), tensor.rank())) return false;
  const auto quantization = ReadAffineQuantization(tensor.tensor());
  return quantization.ok() && quantization->per_tensor();
}

// WebNN requires scale and zero point to have the rank of the tensor, with size 1 where they do not vary.
Operand QuantizationEmitter::Convert(const char* op, Operand x, const AffineOperand& affine, DataType type) {
  if (rejected()) return Operand();
  const auto& [scales, zero_points, dimension] = affine.quantization;
  std::vector<int> varying(descriptor(x).rank(), 1);
  if (scales.size() > 1) varying[dimension] = static_cast<int>(scales.size());
  const Operand scale = SharedConstant({DataType::kFloat32, varying}, scales.data());
  const std::vector<uint8_t> bytes(zero_points.begin(), zero_points.end());
  const bool is_int32 = affine.type == DataType::kInt32;
  const void* data = is_int32 ? static_cast<const void*>(zero_points.data()) : bytes.data();
  const Operand zero_point = SharedConstant({affine.type, varying}, data);
  return Emit({op, {{"input", x}, {"scale", scale}, {"zeroPoint", zero_point}}}, {type, shape(x)});
}

Operand QuantizationEmitter::Quantize(Operand x, const AffineOperand& affine) {
  const Operand raw = Convert("quantizeLinear", x, affine, affine.type);
  if (raw.valid()) operands_.quantized[x.id] = affine;
  return raw;
}

Operand QuantizationEmitter::Dequantize(Operand raw, const AffineOperand& affine) {
  const Operand x = Convert("dequantizeLinear", raw, affine, DataType::kFloat32);
  if (x.valid()) {
    operands_.dequantized[x.id] = affine;
    operands_.raw[x.id] = raw;
  }
  return x;
}

Operand QuantizationEmitter::RawOf(Operand x, const AffineOperand& affine) const {
  const auto known = operands_.dequantized.find(x.id);
  return known != operands_.dequantized.end() && known->second == affine ? operands_.raw.at(x.id) : Operand();
}

Operand QuantizationEmitter::Requantize(Operand x, const TensorView& tensor) {
  if (form_ != QuantizedForm::kFused || !IsQuantized(tensor.tensor())) return x;
  const auto type = DataTypeFromTfLite(tensor.type());
  AffineQuantization quantization;
  if (!type || !ReadQuantization(tensor, &quantization)) return Reject(tensor.text() + " has no fused form");
  const AffineOperand affine{*type, std::move(quantization)};
  return Dequantize(Quantize(x, affine), affine);
}

// Adds a quantizeLinear with the input's parameters, and a dequantizeLinear for the next operator. Without them, where
// they do not accept the rank, the node fails a condition of fusion.
Operand QuantizationEmitter::KeepQuantization(const Call& call, Operand output) {
  if (form_ != QuantizedForm::kFused || !MovesValues(call.op)) return output;
  if (!AcceptsQuantized(kTfLiteInt8, descriptor(output).rank())) return output;
  const auto* list = call.arguments.empty() ? nullptr : std::get_if<std::vector<Operand>>(&call.arguments[0]);
  const Operand input = list != nullptr ? (*list)[0] : call.operands[0].operand;
  const auto found = operands_.dequantized.find(input.id);
  if (found == operands_.dequantized.end()) return output;
  const AffineOperand affine = found->second;
  return affine.quantization.per_tensor() ? Dequantize(Quantize(output, affine), affine) : output;
}

Operand QuantizationEmitter::OutputActivation(const OpView& op, Operand x, TfLiteFusedActivation activation) {
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
  const std::string_view producer = graph().operators.back().op;
  const bool is_convolution = producer == "conv2d" || producer == "convTranspose2d";
  return Activation(is_convolution ? x : Requantize(x, tensor), activation);
}

Operand QuantizationEmitter::Compare(const char* op, Operand a, Operand b) {
  if (a.id == b.id && operands_.dequantized.count(a.id) > 0) b = Unary("identity", b);
  return ConstantEmitter::Compare(op, a, b);
}

Operand QuantizationEmitter::TransposedConstant(const TensorView& tensor, const std::vector<int>& permutation) {
  OperandDescriptor source;
  if (!CheckPermutation(permutation, tensor.rank())) return Operand();
  const bool quantized = IsQuantized(tensor.tensor());
  const bool in_float = quantized && form_ != QuantizedForm::kFused;
  if (in_float ? !DescribeTensor(tensor, DataType::kFloat32, &source) : !DescribeRawTensor(tensor, &source)) {
    return Operand();
  }
  AffineQuantization quantization;
  if (quantized && !ReadQuantization(tensor, &quantization)) return Operand();
  OperandDescriptor target{source.data_type, {}};
  for (int axis : permutation) target.shape.push_back(source.shape[axis]);
  if (!CheckGraphOperand(tensor, target, "constant")) return Operand();
  if (!CheckData(tensor)) return Operand();

  const Operand constant = GeneratedConstant(target, [=](ByteRange) {
    const std::vector<uint8_t> bytes =
        in_float ? DecompressFloats(tensor, {0, source.size_bytes()}) : DecompressConstant(tensor);
    return PermuteAxes(source, permutation, bytes.data());
  });
  if (!quantized || in_float) return constant;
  if (!quantization.per_tensor()) {
    const auto moved = std::find(permutation.begin(), permutation.end(), quantization.dimension);
    quantization.dimension = static_cast<int>(moved - permutation.begin());
  }
  return Dequantize(constant, {source.data_type, std::move(quantization)});
}

Operand QuantizationEmitter::Gather(Operand x, const std::vector<int32_t>& indices, int axis) {
  return Gather(x, Constant({static_cast<int>(indices.size())}, indices), axis);
}

// No engine reverses quantized values in integers, and some cannot reverse int64; all gather both.
Operand QuantizationEmitter::Reverse(Operand x, const std::vector<int>& axes) {
  const std::vector<int> sizes = shape(x);
  if (!AreDistinctAxes(axes, static_cast<int>(sizes.size()))) {
    return Reject("the axes " + ShapeText(axes) + " are not axes of " + ShapeText(sizes) + ", each once");
  }
  if (form_ != QuantizedForm::kFused && AcceptsType("reverse", "input", descriptor(x).data_type)) {
    return Unary("reverse", x, {{"axes", axes}});
  }
  for (int axis : axes) {
    const int size = sizes[axis];
    if (!CanMake(size)) return Operand();
    std::vector<int32_t> positions(size);
    for (int i = 0; i < size; ++i) positions[i] = size - 1 - i;
    x = Gather(x, positions, axis);
  }
  return x;
}

Operand QuantizationEmitter::Activation(Operand x, TfLiteFusedActivation activation) {
  switch (activation) {
    case kTfLiteActNone:
      return x;
    case kTfLiteActRelu:
      // Engines fuse a clamp whose output has another scale than its input, but not a separate relu.
      if (form_ == QuantizedForm::kFused) return Unary("clamp", x, {{"minValue", 0.0f}});
      return Unary("relu", x);
    case kTfLiteActReluN1To1:
      return Clamp(x, -1.0f, 1.0f);
    case kTfLiteActRelu6:
      return Clamp(x, 0.0f, 6.0f);
    case kTfLiteActTanh:
    case kTfLiteActSigmoid:
    case kTfLiteActSignBit:
      break;
  }
  // TFLite's kernels ignore these, so applying them would change the numbers.
  return Reject("fused activation " + std::to_string(activation) + " is not one that TFLite's kernels apply");
}

}  // namespace tflite::webnn
