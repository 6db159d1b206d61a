#include "delegate/builder/graph_builder.h"

#include <algorithm>

namespace tflite::webnn {
namespace {

// 64 MB of int32 or float32, of one constant and of the large ones of all checked nodes: far more than real nodes need.
constexpr int64_t kMaxMadeElements = int64_t{1} << 24;
constexpr int64_t kLargeConstant = int64_t{1} << 16;

}  // namespace

GraphBuilder::GraphBuilder(const OpSupportLimits* limits, const GraphView* view, WebnnGraph* graph)
    : limits_(limits), view_(view), graph_(graph != nullptr ? graph : &scratch_) {}

void GraphBuilder::BeginNode(const OpView& op, QuantizedForm form) {
  label_ = op.label();
  form_ = form;
  rejection_.clear();
  if (!emitting()) {  // a check keeps nothing from node to node
    scratch_ = WebnnGraph();
    descriptors_.clear();
    raw_operands_.clear();
    float_operands_.clear();
    float_constants_.clear();
    shared_constants_.clear();
    quantized_operands_ = QuantizedOperands();
    states_.clear();
  }
  first_operator_ = graph_->operators.size();
}

std::string GraphBuilder::FailedFusionCondition() const {
  return webnn::FailedFusionCondition({*graph_, first_operator_, quantized_operands_, descriptors_});
}

Operand GraphBuilder::Reject(std::string reason) { return Reject(std::move(reason), {}); }

Operand GraphBuilder::Reject(std::string reason, Workarounds because) {
  if (rejected()) return Operand();
  rejection_ = std::move(reason);
  graph_->workarounds = because;
  return Operand();
}

bool GraphBuilder::WorksAround(Workaround workaround) {
  if (!limits_->workarounds().Has(workaround)) return false;
  if (!rejected()) graph_->workarounds.Add(workaround);
  return true;
}

bool GraphBuilder::CanMake(int64_t element_count) {
  const bool is_counted = !emitting() && element_count > kLargeConstant;
  if (element_count + (is_counted ? made_elements_ : 0) <= kMaxMadeElements) {
    if (is_counted) made_elements_ += element_count;
    return true;
  }
  Reject("WebNN needs a table of " + std::to_string(element_count) + " elements for it");
  return false;
}

Operand GraphBuilder::NewOperand(const OperandDescriptor& descriptor) {
  descriptors_.push_back(descriptor);
  return Operand{static_cast<int>(descriptors_.size()) - 1};
}

bool GraphBuilder::CheckOperand(const char* op, const char* name, Operand operand) {
  const OperandLimits* limits = limits_->Find(op, name);
  if (limits == nullptr) {
    Reject(std::string("WebNN ") + op + " of this context has no operand '" + name + "'");
    return false;
  }
  const OperandDescriptor& found = descriptor(operand);
  if (!limits->Accepts(found.data_type)) {
    Reject(std::string("WebNN ") + op + ": '" + name + "' would be " + DataTypeName(found.data_type) +
           ", this context takes " + limits->DataTypesText());
    return false;
  }
  if (found.rank() < limits->min_rank || found.rank() > limits->max_rank) {
    Reject(std::string("WebNN ") + op + ": '" + name + "' would have rank " + std::to_string(found.rank()) +
               ", this context takes " + std::to_string(limits->min_rank) + " to " + std::to_string(limits->max_rank),
           found.rank() > limits->max_rank ? limits->limited_by : Workarounds());
    return false;
  }
  return true;
}

bool GraphBuilder::TakesRank(const char* op, int rank) const {
  const OperandLimits* limits = limits_->Find(op, "output");
  return limits == nullptr || rank <= limits->max_rank;
}

bool GraphBuilder::TakesType(const char* op, const char* operand, DataType type) const {
  const OperandLimits* limits = limits_->Find(op, operand);
  return limits != nullptr && limits->Accepts(type);
}

bool GraphBuilder::TakesRank(const char* op, const char* operand, int rank) {
  const OperandLimits* limits = limits_->Find(op, operand);
  if (limits == nullptr || rank <= limits->max_rank) return true;
  if (!rejected()) graph_->workarounds.Add(limits->limited_by);
  return false;
}

bool GraphBuilder::CheckCall(const Call& call) {
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

void GraphBuilder::Append(const Call& call, std::vector<Operand> outputs) {
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
  return KeepQuantization(call, operand);
}

std::vector<Operand> GraphBuilder::EmitMany(const Call& call, const std::vector<OperandDescriptor>& outputs) {
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
    Reject("WebNN gives " + std::string(DataTypeName(found.data_type)) + ShapeText(found.shape) + ", but " +
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
  states_.push_back(tensor.index());
}

void GraphBuilder::AddStateOutputs() {
  for (int tensor_index : states_) AddOutput(view_->tensor(tensor_index));
}

void GraphBuilder::AddOutput(const TensorView& tensor) {
  label_ = "output:" + std::to_string(tensor.index());
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
  const bool needs_identity = std::any_of(graph_->inputs.begin(), graph_->inputs.end(), is_operand) ||
                              std::any_of(graph_->constants.begin(), graph_->constants.end(), is_operand) ||
                              std::any_of(graph_->outputs.begin(), graph_->outputs.end(), is_operand);
  if (needs_identity) operand = Unary("identity", operand);
  if (operand.valid()) graph_->outputs.push_back({operand, tensor.index(), descriptor(operand), widened});
}

}  // namespace tflite::webnn
