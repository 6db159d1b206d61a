#include "delegate/builder/graph_emitter.h"

#include <algorithm>

#include "support/check.h"

namespace tflite::webnn {
namespace {

// 64 MB of int32 or float32, of one constant and of the large ones of all checked nodes: far more than real nodes need.
constexpr int64_t kMaxGeneratedElements = int64_t{1} << 24;
constexpr int64_t kLargeConstant = int64_t{1} << 16;

}  // namespace

void GraphEmitter::BeginNode(std::string label) {
  label_ = std::move(label);
  rejection_.clear();
  if (!emitting()) {  // a check keeps nothing from node to node
    scratch_ = WebnnGraph();
    descriptors_.clear();
  }
  first_operator_ = graph_->operators.size();
}

Operand GraphEmitter::Reject(std::string reason, Workarounds because) {
  if (rejected()) return Operand();
  rejection_ = std::move(reason);
  graph_->workarounds = because;
  return Operand();
}

bool GraphEmitter::WorksAround(Workaround workaround) {
  if (!limits_->workarounds().Has(workaround)) return false;
  if (!rejected()) graph_->workarounds.Add(workaround);
  return true;
}

void GraphEmitter::LimitIndices(Operand indices, std::vector<int> sizes) {
  if (!rejected() && indices.valid()) graph_->index_limits.push_back({indices, std::move(sizes)});
}

bool GraphEmitter::CanMake(int64_t element_count) {
  if (rejected()) return false;
  const bool is_counted = !emitting() && element_count > kLargeConstant;
  if (element_count + (is_counted ? generated_elements_ : 0) <= kMaxGeneratedElements) {
    if (is_counted) generated_elements_ += element_count;
    return true;
  }
  Reject("WebNN needs a table of " + std::to_string(element_count) + " elements for it");
  return false;
}

const OperandDescriptor& GraphEmitter::descriptor(Operand operand) const {
  static const OperandDescriptor kNone;
  WEBNN_DCHECK(operand.id < static_cast<int>(descriptors_.size()));
  return operand.valid() ? descriptors_[operand.id] : kNone;
}

Operand GraphEmitter::NewOperand(const OperandDescriptor& descriptor) {
  descriptors_.push_back(descriptor);
  return Operand{static_cast<int>(descriptors_.size()) - 1};
}

bool GraphEmitter::CheckOperand(const char* op, const char* name, Operand operand) {
  WEBNN_DCHECK(rejected() || operand.valid());
  const OperandLimits* limits = limits_->Find(op, name);
  if (limits == nullptr) {
    Reject(std::string("WebNN ") + op + " of this context has no operand '" + name + "'");
    return false;
  }
  const OperandDescriptor& found = descriptor(operand);
  if (!limits->Accepts(found.data_type)) {
    Reject(std::string("WebNN ") + op + ": '" + name + "' would be " + DataTypeName(found.data_type) +
           ", this context accepts " + limits->DataTypesText());
    return false;
  }
  if (found.rank() < limits->min_rank || found.rank() > limits->max_rank) {
    Reject(std::string("WebNN ") + op + ": '" + name + "' would have rank " + std::to_string(found.rank()) +
               ", this context accepts " + std::to_string(limits->min_rank) + " to " + std::to_string(limits->max_rank),
           found.rank() > limits->max_rank ? limits->limited_by : Workarounds());
    return false;
  }
  return true;
}

bool GraphEmitter::AcceptsRank(const char* op, int rank) const {
  const OperandLimits* limits = limits_->Find(op, "output");
  return limits == nullptr || rank <= limits->max_rank;
}

bool GraphEmitter::AcceptsType(const char* op, const char* operand, DataType type) const {
  const OperandLimits* limits = limits_->Find(op, operand);
  return limits != nullptr && limits->Accepts(type);
}

bool GraphEmitter::AcceptsRank(const char* op, const char* operand, int rank) {
  const OperandLimits* limits = limits_->Find(op, operand);
  if (limits == nullptr || rank <= limits->max_rank) return true;
  if (!rejected()) graph_->workarounds.Add(limits->limited_by);
  return false;
}

bool GraphEmitter::CheckCall(const Call& call) {
  if (rejected()) return false;
  if (!limits_->HasOperator(call.op)) {
    Reject(std::string("this context has no WebNN operator ") + call.op);
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

void GraphEmitter::Append(const Call& call, std::vector<Operand> outputs) {
  std::vector<Value> arguments;
  for (const NamedOperand& named : call.operands) arguments.push_back(named.operand);
  arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
  graph_->operators.push_back({call.op, label_, std::move(arguments), call.options, std::move(outputs)});
}

Operand GraphEmitter::Emit(const Call& call, const OperandDescriptor& output) {
  if (!CheckCall(call)) return Operand();
  const Operand operand = NewOperand(output);
  if (!CheckOperand(call.op, "output", operand)) return Operand();
  Append(call, {operand});
  return KeepQuantization(call, operand);
}

std::vector<Operand> GraphEmitter::EmitMany(const Call& call, const std::vector<OperandDescriptor>& outputs) {
  std::vector<Operand> operands(outputs.size());
  if (!CheckCall(call)) return operands;
  for (size_t i = 0; i < outputs.size(); ++i) {
    operands[i] = NewOperand(outputs[i]);
    if (!CheckOperand(call.op, "outputs", operands[i])) return std::vector<Operand>(outputs.size());
  }
  Append(call, operands);
  for (Operand& operand : operands) operand = KeepQuantization(call, operand);
  return operands;
}

bool GraphEmitter::DescribeTensor(const TensorView& tensor, DataType type, OperandDescriptor* descriptor) {
  if (rejected()) return false;
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

bool GraphEmitter::DescribeRawTensor(const TensorView& tensor, OperandDescriptor* descriptor) {
  const auto type = DataTypeFromTfLite(tensor.type());
  if (!type) {
    Reject(tensor.text() + " has type " + TfLiteTypeGetName(tensor.type()) + ", which WebNN does not have");
    return false;
  }
  return DescribeTensor(tensor, *type, descriptor);
}

bool GraphEmitter::CheckGraphOperand(const TensorView& tensor, const OperandDescriptor& descriptor, const char* kind) {
  const OperandLimits* limits = limits_->FindGraphOperand(kind);
  if (limits == nullptr || limits->Accepts(descriptor.data_type)) return true;
  Reject(tensor.text() + ": this context accepts no " + DataTypeName(descriptor.data_type) + " " + kind + "s");
  return false;
}

}  // namespace tflite::webnn
