#include "delegate/quantization/fusion.h"

#include <algorithm>
#include <map>

#include "delegate/quantization/fusion_rules.h"

namespace tflite::webnn {
namespace {

constexpr std::string_view kMovingOps[] = {"concat", "gather", "pad", "reshape", "slice", "split", "transpose"};

std::vector<Operand> InputsOf(const WebnnGraph::Operator& op) {
  std::vector<Operand> inputs;
  ForEachOperand(op, [&inputs](Operand operand) { inputs.push_back(operand); });
  return inputs;
}

bool IsConversion(std::string_view op) { return op == "quantizeLinear" || op == "dequantizeLinear"; }

bool IsConvolution(std::string_view op) { return op == "conv2d" || op == "convTranspose2d"; }

class NodeChecker {
 public:
  explicit NodeChecker(const NodeOperators& node) : node_(node) {
    for (size_t i = node_.first; i < operators().size(); ++i) {
      for (Operand input : InputsOf(operators()[i])) readers_[input.id].push_back(&operators()[i]);
      for (Operand output : operators()[i].outputs) producers_[output.id] = i;
    }
  }

  Status Check() const {
    for (size_t i = node_.first; i < operators().size(); ++i) {
      const WebnnGraph::Operator& op = operators()[i];
      if (IsConversion(op.op) || IsFusedActivation(i) || IsOnIntegers(op)) continue;
      const FusionRule rule = FindFusionRule(op.op);
      if (rule == nullptr) return Unsupported(op.op, ": engines have no integer kernel for it");
      if (Status status = rule(Describe(op)); !status.ok()) return std::move(status).WithPrefix(op.op, ": ");
    }
    return {};
  }

 private:
  const std::vector<WebnnGraph::Operator>& operators() const { return node_.graph.operators; }

  // Such as the positions that argMax found: integers are computed as they are.
  bool IsOnIntegers(const WebnnGraph::Operator& op) const {
    const std::vector<Operand> inputs = InputsOf(op);
    const auto is_integer = [this](Operand operand) {
      return node_.descriptors[operand.id].data_type != DataType::kFloat32 &&
             Find(node_.operands.dequantized, operand) == nullptr;
    };
    return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), is_integer);
  }

  QuantizedCall Describe(const WebnnGraph::Operator& op) const {
    QuantizedCall call{op, {}, {}, {}};
    for (Operand input : InputsOf(op)) call.inputs.push_back(Find(node_.operands.dequantized, input));
    for (Operand output : op.outputs) {
      const Operand result = IsConvolution(op.op) ? AfterActivation(output) : output;
      call.outputs.push_back(Readers(result).size() == 1 ? Find(node_.operands.quantized, result) : nullptr);
      call.output_descriptors.push_back(node_.descriptors[output.id]);
    }
    return call;
  }

  static const AffineOperand* Find(const std::map<int, AffineOperand>& operands, Operand operand) {
    const auto found = operands.find(operand.id);
    return found == operands.end() ? nullptr : &found->second;
  }

  // The operators that read an operand, once per position.
  const std::vector<const WebnnGraph::Operator*>& Readers(Operand operand) const {
    static const std::vector<const WebnnGraph::Operator*> none;
    const auto found = readers_.find(operand.id);
    return found == readers_.end() ? none : found->second;
  }

  bool IsActivation(const WebnnGraph::Operator& op) const {
    if (std::string_view(op.op) == "relu") return true;
    return std::string_view(op.op) == "clamp" && IsActivationClamp(QuantizedCall{op, {}, {}, {}});
  }

  Operand AfterActivation(Operand output) const {
    const auto& readers = Readers(output);
    return readers.size() == 1 && IsActivation(*readers[0]) ? readers[0]->outputs[0] : output;
  }

  // Whether this is an activation between a convolution and its quantizeLinear: the convolution's kernel applies it.
  bool IsFusedActivation(size_t index) const {
    if (!IsActivation(operators()[index])) return false;
    const Operand input = InputsOf(operators()[index])[0];
    const auto producer = producers_.find(input.id);
    return producer != producers_.end() && producer->second < index &&
           IsConvolution(operators()[producer->second].op) && operators()[producer->second].outputs[0].id == input.id &&
           Readers(input).size() == 1;
  }

  const NodeOperators& node_;
  // By operand. A node may have thousands, and all are looked for.
  std::map<int, std::vector<const WebnnGraph::Operator*>> readers_;
  std::map<int, size_t> producers_;
};

}  // namespace

bool MovesValues(std::string_view op) {
  return std::find(std::begin(kMovingOps), std::end(kMovingOps), op) != std::end(kMovingOps);
}

Status CheckFusion(const NodeOperators& node) { return NodeChecker(node).Check(); }

}  // namespace tflite::webnn
