// Turns a model's tensors into operands of a WebNN graph: inputs and constants keep their types.
#include <algorithm>

#include "delegate/builder/graph_builder.h"
#include "delegate/constants/constant_data.h"

namespace tflite::webnn {

bool GraphBuilder::DescribeTensor(const TensorView& tensor, DataType type, OperandDescriptor* descriptor) {
  *descriptor = {type, tensor.shape()};
  if (std::any_of(descriptor->shape.begin(), descriptor->shape.end(), [](int d) { return d <= 0; })) {
    Reject(tensor.text() + " has shape " + ShapeText(descriptor->shape) +
           "; WebNN needs every dimension known and above 0");
    return false;
  }
  if (descriptor->size_bytes() > limits_->max_tensor_size_bytes()) {
    Reject(tensor.text() + " has " + std::to_string(descriptor->size_bytes()) +
           " bytes, more than this context's maxTensorByteLength");
    return false;
  }
  return true;
}

bool GraphBuilder::DescribeRawTensor(const TensorView& tensor, OperandDescriptor* descriptor) {
  const auto type = DataTypeFromTfLite(tensor.type());
  if (!type) {
    Reject(tensor.text() + " has type " + TfLiteTypeGetName(tensor.type()) + ", which WebNN does not have");
    return false;
  }
  return DescribeTensor(tensor, *type, descriptor);
}

bool GraphBuilder::CheckGraphOperand(const TensorView& tensor, const OperandDescriptor& descriptor, const char* kind) {
  const OperandLimits* limits = limits_->FindGraphOperand(kind);
  if (limits == nullptr || limits->Accepts(descriptor.data_type)) return true;
  Reject(tensor.text() + ": this context takes no " + DataTypeName(descriptor.data_type) + " " + kind + "s");
  return false;
}

Operand GraphBuilder::Tensor(const TensorView& tensor) { return Reshape(Elements(tensor), tensor.shape()); }

Operand GraphBuilder::Elements(const TensorView& tensor) {
  if (rejected()) return Operand();
  if (tensor.tensor().is_variable) return Reject(tensor.text() + " is a variable");
  return IsQuantized(tensor.tensor()) ? QuantizedTensor(tensor) : HeldTensor(tensor);
}

Operand GraphBuilder::RawTensor(const TensorView& tensor) { return Reshape(HeldTensor(tensor), tensor.shape()); }

Operand GraphBuilder::HeldTensor(const TensorView& tensor) {
  if (rejected()) return Operand();
  const auto known = raw_operands_.find(tensor.index());
  if (known != raw_operands_.end()) return known->second;
  OperandDescriptor descriptor;
  if (!DescribeRawTensor(tensor, &descriptor)) return Operand();
  const Operand operand = tensor.IsConstant() ? AddConstant(tensor, descriptor) : AddInput(tensor, descriptor);
  if (operand.valid()) raw_operands_[tensor.index()] = operand;
  return operand;
}

Operand GraphBuilder::AddInput(const TensorView& tensor, const OperandDescriptor& descriptor) {
  if (!CheckGraphOperand(tensor, descriptor, "input")) return Operand();
  const Operand operand = NewOperand(descriptor);
  if (emitting()) graph_->inputs.push_back({operand, tensor.index(), descriptor, IsHeldInFloat(tensor)});
  return operand;
}

Operand GraphBuilder::AddConstant(const TensorView& tensor, const OperandDescriptor& descriptor) {
  if (!CheckGraphOperand(tensor, descriptor, "constant")) return Operand();
  if (!emitting()) {
    std::string error;
    if (!CheckConstantData(tensor, &error)) return Reject(tensor.text() + " " + error);
    return NewOperand(descriptor);
  }
  if (tensor.IsPacked()) return AddMadeConstant(descriptor, [tensor](ByteRange) { return UnpackConstant(tensor); });
  return AddConstantAt(descriptor, tensor.tensor().data.raw_const);
}

Operand GraphBuilder::AddConstantAt(const OperandDescriptor& descriptor, const void* data) {
  const Operand operand = NewOperand(descriptor);
  graph_->constants.push_back({operand, descriptor, static_cast<int64_t>(reinterpret_cast<uintptr_t>(data))});
  return operand;
}

Operand GraphBuilder::AddMadeConstant(const OperandDescriptor& descriptor, WebnnGraph::MakeBytes make) {
  if (!emitting()) return NewOperand(descriptor);
  if (!graph_->makes_constants_later) {
    graph_->unpacked.push_back(make({0, descriptor.size_bytes()}));
    return AddConstantAt(descriptor, graph_->unpacked.back().data());
  }
  static int64_t next_address = WebnnGraph::kMadeConstants;  // no two graphs share one
  const Operand operand = NewOperand(descriptor);
  graph_->constants.push_back({operand, descriptor, next_address, std::move(make)});
  next_address += static_cast<int64_t>(descriptor.size_bytes());
  return operand;
}

Operand GraphBuilder::AddOwnedConstant(const OperandDescriptor& descriptor, const void* data) {
  if (!emitting()) return NewOperand(descriptor);
  const auto* bytes = static_cast<const uint8_t*>(data);
  graph_->unpacked.emplace_back(bytes, bytes + descriptor.size_bytes());
  return AddConstantAt(descriptor, graph_->unpacked.back().data());
}

Operand GraphBuilder::Constant(const std::vector<int>& shape, const std::vector<float>& values) {
  return rejected() ? Operand() : AddOwnedConstant({DataType::kFloat32, shape}, values.data());
}

Operand GraphBuilder::Constant(const std::vector<int>& shape, const std::vector<int32_t>& values) {
  return rejected() ? Operand() : AddOwnedConstant({DataType::kInt32, shape}, values.data());
}

Operand GraphBuilder::SharedConstant(const OperandDescriptor& descriptor, const void* data) {
  std::string key = std::string(DataTypeName(descriptor.data_type)) + ShapeText(descriptor.shape);
  key.append(static_cast<const char*>(data), descriptor.size_bytes());
  const auto [found, is_new] = shared_constants_.try_emplace(std::move(key));
  if (is_new) found->second = AddOwnedConstant(descriptor, data);
  return found->second;
}

Operand GraphBuilder::TransposedConstant(const TensorView& tensor, const std::vector<int>& permutation) {
  OperandDescriptor source;
  if (rejected() || !CheckPermutation(permutation, tensor.rank())) return Operand();
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
  std::string error;
  if (!CheckConstantData(tensor, &error)) return Reject(tensor.text() + " " + error);

  const Operand constant = AddMadeConstant(target, [=](ByteRange) {
    const std::vector<uint8_t> bytes =
        in_float ? UnpackFloats(tensor, {0, source.size_bytes()}) : UnpackConstant(tensor);
    return PermuteAxes(source, permutation, bytes.data());
  });
  if (!quantized || in_float) return constant;
  if (!quantization.per_tensor()) {
    const auto moved = std::find(permutation.begin(), permutation.end(), quantization.dimension);
    quantization.dimension = static_cast<int>(moved - permutation.begin());
  }
  return Dequantize(constant, {source.data_type, std::move(quantization)});
}

}  // namespace tflite::webnn
