#include "delegate/builder/constant_emitter.h"

#include "delegate/constants/constant_data.h"
#include "support/check.h"

namespace tflite::webnn {
namespace {

template <typename T>
std::vector<uint8_t> BytesOf(const std::vector<int64_t>& values) {
  const std::vector<T> converted(values.begin(), values.end());
  const auto* bytes = reinterpret_cast<const uint8_t*>(converted.data());
  return std::vector<uint8_t>(bytes, bytes + converted.size() * sizeof(T));
}

}  // namespace

void ConstantEmitter::BeginNode(std::string label) {
  GraphEmitter::BeginNode(std::move(label));
  if (emitting()) return;
  float_constants_.clear();
  shared_constants_.clear();
}

bool ConstantEmitter::ReadQuantization(const TensorView& tensor, AffineQuantization* quantization) {
  auto read = ReadAffineQuantization(tensor.tensor());
  if (!read.ok()) {
    Reject(tensor.text() + " " + read.status.message());
    return false;
  }
  *quantization = std::move(*read);
  return true;
}

bool ConstantEmitter::CheckData(const TensorView& tensor) {
  const Status status = ValidateConstant(tensor);
  if (!status.ok()) Reject(tensor.text() + " " + status.message());
  return status.ok();
}

Operand ConstantEmitter::ModelConstant(const TensorView& tensor, const OperandDescriptor& descriptor) {
  if (!CheckGraphOperand(tensor, descriptor, "constant")) return Operand();
  if (!emitting()) return CheckData(tensor) ? NewOperand(descriptor) : Operand();
  if (tensor.IsCompressed())
    return GeneratedConstant(descriptor, [tensor](ByteRange) { return DecompressConstant(tensor); });
  return ConstantAt(descriptor, tensor.tensor().data.raw_const);
}

Operand ConstantEmitter::FloatConstant(const TensorView& tensor) {
  const auto known = float_constants_.find(tensor.index());
  if (known != float_constants_.end()) return known->second;
  OperandDescriptor target;
  AffineQuantization quantization;
  const TfLiteBlockwiseQuantization* blocks = BlocksOf(tensor.tensor());
  if (!DescribeTensor(tensor, DataType::kFloat32, &target)) return Operand();
  if (blocks == nullptr && !ReadQuantization(tensor, &quantization)) return Operand();
  if (!CheckGraphOperand(tensor, target, "constant")) return Operand();
  if (!CheckData(tensor)) return Operand();
  const bool has_scales =
      blocks != nullptr && blocks->scale >= 0 && blocks->scale < static_cast<int>(view_->context()->tensors_size);
  const TensorView scales = view_->tensor(has_scales ? blocks->scale : tensor.index());
  if (Status status = blocks ? ValidateBlocks(tensor, scales) : Status(); !status.ok()) {
    return Reject(tensor.text() + " " + status.message());
  }
  const bool has_blocks = blocks != nullptr;
  const Operand operand = GeneratedConstant(target, [=](ByteRange part) {
    return has_blocks ? DecompressBlocks(tensor, scales, part) : DecompressFloats(tensor, part);
  });
  float_constants_[tensor.index()] = operand;
  return operand;
}

Operand ConstantEmitter::ConstantAt(const OperandDescriptor& descriptor, const void* data) {
  const Operand operand = NewOperand(descriptor);
  graph().constants.push_back({operand, descriptor, static_cast<int64_t>(reinterpret_cast<uintptr_t>(data))});
  return operand;
}

Operand ConstantEmitter::GeneratedConstant(const OperandDescriptor& descriptor, WebnnGraph::MakeBytes make) {
  if (!emitting()) return NewOperand(descriptor);
  if (!graph().makes_constants_later) {
    graph().unpacked.push_back(make({0, descriptor.size_bytes()}));
    return ConstantAt(descriptor, graph().unpacked.back().data());
  }
  static int64_t next_address = WebnnGraph::kGeneratedConstants;  // no two graphs share one
  const Operand operand = NewOperand(descriptor);
  graph().constants.push_back({operand, descriptor, next_address, std::move(make)});
  next_address += static_cast<int64_t>(descriptor.size_bytes());
  return operand;
}

Operand ConstantEmitter::OwnedConstant(const OperandDescriptor& descriptor, const void* data) {
  if (rejected()) return Operand();
  if (!emitting()) return NewOperand(descriptor);
  const auto* bytes = static_cast<const uint8_t*>(data);
  graph().unpacked.emplace_back(bytes, bytes + descriptor.size_bytes());
  return ConstantAt(descriptor, graph().unpacked.back().data());
}

Operand ConstantEmitter::Constant(const std::vector<int>& shape, const std::vector<float>& values) {
  WEBNN_DCHECK(rejected() || OperandDescriptor{DataType::kFloat32, shape}.element_count() == values.size());
  return OwnedConstant({DataType::kFloat32, shape}, values.data());
}

Operand ConstantEmitter::Constant(const std::vector<int>& shape, const std::vector<int32_t>& values) {
  WEBNN_DCHECK(rejected() || OperandDescriptor{DataType::kInt32, shape}.element_count() == values.size());
  return OwnedConstant({DataType::kInt32, shape}, values.data());
}

Operand ConstantEmitter::SharedConstant(const OperandDescriptor& descriptor, const void* data) {
  std::string key = std::string(DataTypeName(descriptor.data_type)) + ShapeText(descriptor.shape);
  key.append(static_cast<const char*>(data), descriptor.size_bytes());
  const auto [found, is_new] = shared_constants_.try_emplace(std::move(key));
  if (is_new) found->second = OwnedConstant(descriptor, data);
  return found->second;
}

Operand ConstantEmitter::Constant(DataType type, const std::vector<int>& shape, const std::vector<int64_t>& values) {
  WEBNN_DCHECK(rejected() || OperandDescriptor{type, shape}.element_count() == values.size());
  switch (type) {
    case DataType::kFloat32:
      return OwnedConstant({type, shape}, BytesOf<float>(values).data());
    case DataType::kInt32:
    case DataType::kUint32:
      return OwnedConstant({type, shape}, BytesOf<int32_t>(values).data());
    case DataType::kInt64:
    case DataType::kUint64:
      return OwnedConstant({type, shape}, BytesOf<int64_t>(values).data());
    case DataType::kInt8:
    case DataType::kUint8:
      return OwnedConstant({type, shape}, BytesOf<int8_t>(values).data());
    default:
      return Reject(std::string("no constants of type ") + DataTypeName(type) + " are generated here");
  }
}

}  // namespace tflite::webnn
