#include "delegate/graph_builder.h"

#include <algorithm>

#include "delegate/constant_data.h"

namespace tflite::webnn {
namespace {

std::string TensorText(const TensorView& tensor) {
  return "tensor " + std::to_string(tensor.index()) + " '" + tensor.name() + "'";
}

}  // namespace

GraphBuilder::GraphBuilder(const OpSupportLimits* limits, const GraphView* view, WebnnGraph* graph)
    : limits_(limits), view_(view), graph_(graph) {}

void GraphBuilder::BeginNode(const OpView& op) {
  label_ = op.label();
  refusal_.clear();
  if (graph_ == nullptr) {  // nothing outlives the node that is checked
    descriptors_.clear();
    operands_.clear();
  }
}

Operand GraphBuilder::Refuse(std::string reason) {
  if (refusal_.empty()) refusal_ = std::move(reason);
  return Operand();
}

Operand GraphBuilder::NewOperand(const OperandDescriptor& descriptor) {
  descriptors_.push_back(descriptor);
  return Operand{static_cast<int>(descriptors_.size()) - 1};
}

bool GraphBuilder::DescribeTensor(const TensorView& tensor, OperandDescriptor* descriptor) {
  const auto type = DataTypeFromTfLite(tensor.type());
  if (!type) {
    Refuse(TensorText(tensor) + " has type " + TfLiteTypeGetName(tensor.type()) + ", which WebNN does not have");
    return false;
  }
  if (tensor.tensor().quantization.type != kTfLiteNoQuantization && *type != DataType::kFloat32) {
    Refuse(TensorText(tensor) + " is quantized " + DataTypeName(*type) + "; this version delegates float models only");
    return false;
  }
  if (tensor.tensor().sparsity != nullptr || tensor.tensor().is_variable) {
    Refuse(TensorText(tensor) + (tensor.tensor().is_variable ? " is a variable" : " is sparse") +
           "; WebNN needs dense operands that only its graph changes");
    return false;
  }
  *descriptor = {*type, tensor.shape()};
  if (std::any_of(descriptor->shape.begin(), descriptor->shape.end(), [](int d) { return d <= 0; })) {
    Refuse(TensorText(tensor) + " has shape " + ShapeText(descriptor->shape) +
           "; WebNN needs every dimension known and above 0");
    return false;
  }
  if (descriptor->size_bytes() > limits_->max_tensor_size_bytes()) {
    Refuse(TensorText(tensor) + " has " + std::to_string(descriptor->size_bytes()) +
           " bytes, more than this context's maxTensorByteLength");
    return false;
  }
  return true;
}

Operand GraphBuilder::Tensor(const TensorView& tensor) {
  if (refused()) return Operand();
  const auto known = operands_.find(tensor.index());
  if (known != operands_.end()) return known->second;
  OperandDescriptor descriptor;
  if (!DescribeTensor(tensor, &descriptor)) return Operand();
  const bool constant = tensor.IsConstant();
  const OperandLimits* limits = limits_->FindGraphOperand(constant ? "constant" : "input");
  if (limits != nullptr && !limits->Accepts(descriptor.data_type)) {
    return Refuse(TensorText(tensor) + ": this context takes no " + DataTypeName(descriptor.data_type) +
                  (constant ? " constants" : " inputs"));
  }
  const Operand operand = constant ? AddConstant(tensor, descriptor) : AddInput(tensor, descriptor);
  operands_[tensor.index()] = operand;
  return operand;
}

Operand GraphBuilder::AddInput(const TensorView& tensor, const OperandDescriptor& descriptor) {
  const Operand operand = NewOperand(descriptor);
  if (graph_ != nullptr) graph_->inputs.push_back({operand, tensor.index(), descriptor});
  return operand;
}

Operand GraphBuilder::AddConstant(const TensorView& tensor, const OperandDescriptor& descriptor) {
  const int packed = view_->UnpackedFrom(tensor.index());
  if (packed >= 0 && graph_ != nullptr) {
    return AddOwnedConstant(descriptor, UnpackFloat16(view_->tensor(packed).tensor()).data());
  }
  const Operand operand = NewOperand(descriptor);
  if (graph_ != nullptr) graph_->constants.push_back({operand, descriptor, tensor.tensor().data.raw_const});
  return operand;
}

Operand GraphBuilder::AddOwnedConstant(const OperandDescriptor& descriptor, const void* data) {
  const Operand operand = NewOperand(descriptor);
  if (graph_ == nullptr) return operand;
  const auto* bytes = static_cast<const uint8_t*>(data);
  graph_->unpacked.emplace_back(bytes, bytes + descriptor.size_bytes());
  graph_->constants.push_back({operand, descriptor, graph_->unpacked.back().data()});
  return operand;
}

Operand GraphBuilder::Constant(const std::vector<int>& shape, const std::vector<float>& values) {
  return refused() ? Operand() : AddOwnedConstant({DataType::kFloat32, shape}, values.data());
}

Operand GraphBuilder::Constant(const std::vector<int>& shape, const std::vector<int32_t>& values) {
  return refused() ? Operand() : AddOwnedConstant({DataType::kInt32, shape}, values.data());
}

Operand GraphBuilder::TransposedConstant(const TensorView& tensor, const std::vector<int>& permutation) {
  OperandDescriptor source;
  if (refused() || !DescribeTensor(tensor, &source)) return Operand();
  OperandDescriptor target{source.data_type, {}};
  for (int axis : permutation) target.shape.push_back(source.shape[axis]);
  if (graph_ == nullptr) return NewOperand(target);
  const int packed = view_->UnpackedFrom(tensor.index());
  std::vector<float> floats;
  if (packed >= 0) floats = UnpackFloat16(view_->tensor(packed).tensor());
  const void* data = tensor.tensor().data.raw_const;
  if (packed >= 0) data = floats.data();
  return AddOwnedConstant(target, PermuteAxes(source, permutation, data).data());
}

bool GraphBuilder::CheckOperand(const char* op, const char* name, Operand operand) {
  const OperandLimits* limits = limits_->Find(op, name);
  if (limits == nullptr) {
    Refuse(std::string("WebNN ") + op + " of this context has no operand '" + name + "'");
    return false;
  }
  const OperandDescriptor& found = descriptor(operand);
  if (!limits->Accepts(found.data_type)) {
    Refuse(std::string("WebNN ") + op + ": '" + name + "' would be " + DataTypeName(found.data_type) +
           ", this context takes " + limits->DataTypesText());
    return false;
  }
  if (found.rank() < limits->min_rank || found.rank() > limits->max_rank) {
    Refuse(std::string("WebNN ") + op + ": '" + name + "' would have rank " + std::to_string(found.rank()) +
           ", this context takes " + std::to_string(limits->min_rank) + " to " + std::to_string(limits->max_rank));
    return false;
  }
  return true;
}

bool GraphBuilder::CheckCall(const Call& call) {
  if (refused()) return false;
  if (!limits_->HasOperator(call.op)) {
    Refuse(std::string("this context has no WebNN operator ") + call.op);
    return false;
  }
  for (const NamedOperand& named : call.operands) {
    if (!CheckOperand(call.op, named.name, named.operand)) return false;
  }
  for (const Option& option : call.options) {
    const auto* operand = std::get_if<Operand>(&option.value);
    if (operand != nullptr && !CheckOperand(call.op, option.name, *operand)) return false;
  }
  return true;
}

void GraphBuilder::Append(const Call& call, std::vector<Operand> outputs) {
  if (graph_ == nullptr) return;
  std::vector<Value> arguments;
  for (const NamedOperand& named : call.operands) arguments.push_back(named.operand);
  arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
  graph_->operators.push_back({call.op, label_, std::move(arguments), call.options, std::move(outputs)});
}

Operand GraphBuilder::Emit(const Call& call, const OperandDescriptor& output) {
  if (!CheckCall(call)) return Operand();
  const Operand operand = NewOperand(output);
  if (!CheckOperand(call.op, "output", operand)) return Operand();
  Append(call, {operand});
  return operand;
}

std::vector<Operand> GraphBuilder::EmitMany(const Call& call, const std::vector<OperandDescriptor>& outputs) {
  std::vector<Operand> operands(outputs.size());
  if (!CheckCall(call)) return operands;
  for (size_t i = 0; i < outputs.size(); ++i) {
    operands[i] = NewOperand(outputs[i]);
    if (!CheckOperand(call.op, "outputs", operands[i])) return std::vector<Operand>(outputs.size());
  }
  Append(call, operands);
  return operands;
}

void GraphBuilder::SetOutput(const OpView& op, int i, Operand operand) {
  if (refused()) return;
  const TensorView tensor = op.output(i);
  OperandDescriptor expected;
  if (!DescribeTensor(tensor, &expected)) return;
  const OperandDescriptor& found = descriptor(operand);
  if (!(found == expected)) {
    Refuse("WebNN gives " + std::string(DataTypeName(found.data_type)) + ShapeText(found.shape) + ", but " +
           TensorText(tensor) + " is " + DataTypeName(expected.data_type) + ShapeText(expected.shape));
    return;
  }
  operands_[tensor.index()] = operand;
}

void GraphBuilder::AddOutput(const TensorView& tensor) {
  const Operand operand = operands_.at(tensor.index());
  const auto is_operand = [operand](const auto& other) { return other.operand.id == operand.id; };
  // A built graph's outputs must be results of operators, each once.
  const bool needs_identity = std::any_of(graph_->inputs.begin(), graph_->inputs.end(), is_operand) ||
                              std::any_of(graph_->constants.begin(), graph_->constants.end(), is_operand) ||
                              std::any_of(graph_->outputs.begin(), graph_->outputs.end(), is_operand);
  label_ = "output:" + std::to_string(tensor.index());
  const Operand output = needs_identity ? Unary("identity", operand) : operand;
  if (output.valid()) graph_->outputs.push_back({output, tensor.index(), descriptor(output)});
}

}  // namespace tflite::webnn
