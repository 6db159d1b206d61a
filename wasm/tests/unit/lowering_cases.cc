#include "tests/unit/lowering_cases.h"

#include <sstream>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "delegate/lowering_choice.h"
#include "delegate/ops/op_registry.h"
#include "support/text.h"

namespace tflite::webnn {
namespace {

// Operators with an input and an output.
constexpr char kUnary[] =
    "abs argMax argMin averagePool2d cast ceil clamp cos cumulativeSum elu exp expand floor gelu hardSwish identity "
    "l2Pool2d leakyRelu log maxPool2d neg pad reciprocal reduceL2 reduceMax reduceMean reduceMin reduceProduct "
    "reduceSum relu resample2d reshape reverse roundEven sigmoid sign sin slice softmax sqrt tanh tile transpose";
constexpr char kBinary[] =
    "add div equal greater greaterOrEqual lesser lesserOrEqual logicalAnd logicalOr matmul max min mul notEqual pow "
    "sub";
constexpr char kOthers[] =
    "input constant output concat.inputs concat.output conv2d.input conv2d.filter conv2d.bias conv2d.output "
    "convTranspose2d.input convTranspose2d.filter convTranspose2d.bias convTranspose2d.output "
    "dequantizeLinear.input dequantizeLinear.scale dequantizeLinear.zeroPoint dequantizeLinear.output gather.input "
    "gather.indices gather.output gatherND.input gatherND.indices gatherND.output gemm.a gemm.b gemm.c gemm.output "
    "logicalNot.a logicalNot.output prelu.input prelu.slope prelu.output quantizeLinear.input quantizeLinear.scale "
    "quantizeLinear.zeroPoint quantizeLinear.output split.input split.outputs where.condition where.trueValue "
    "where.falseValue where.output";

// A context with all of them, of all types, up to rank 5.
OpSupportLimits AllLimits() {
  std::string text;
  const auto add = [&text](std::string_view operand) {
    text.append(operand).append(" float32,float16,int32,uint32,int64,int8,uint8 0 5\n");
  };
  for (const std::string_view op : SplitText(kUnary, ' ')) {
    add(std::string(op) + ".input");
    add(std::string(op) + ".output");
  }
  for (const std::string_view op : SplitText(kBinary, ' ')) {
    add(std::string(op) + ".a");
    add(std::string(op) + ".b");
    add(std::string(op) + ".output");
  }
  for (const std::string_view operand : SplitText(kOthers, ' ')) add(operand);
  return *OpSupportLimits::Parse(text);
}

template <typename T>
std::string NumbersText(const WebnnGraph::Constant& constant) {
  const auto* values = reinterpret_cast<const T*>(constant.address);
  std::ostringstream text;
  for (size_t i = 0; i < constant.descriptor.element_count(); ++i) text << (i > 0 ? "," : "") << +values[i];
  return "{" + text.str() + "}";
}

std::string ConstantText(const WebnnGraph::Constant& constant) {
  switch (constant.descriptor.data_type) {
    case DataType::kFloat32:
      return NumbersText<float>(constant);
    case DataType::kInt32:
      return NumbersText<int32_t>(constant);
    case DataType::kInt64:
      return NumbersText<int64_t>(constant);
    case DataType::kInt8:
      return NumbersText<int8_t>(constant);
    default:
      return NumbersText<uint8_t>(constant);
  }
}

std::string OperandText(const WebnnGraph& graph, Operand operand) {
  for (const auto& input : graph.inputs) {
    if (input.operand.id == operand.id) return "t" + std::to_string(input.tensor_index);
  }
  for (const auto& constant : graph.constants) {
    if (constant.operand.id == operand.id) return ConstantText(constant);
  }
  for (size_t i = 0; i < graph.operators.size(); ++i) {
    for (Operand output : graph.operators[i].outputs) {
      if (output.id == operand.id) return "%" + std::to_string(i);
    }
  }
  return "?";
}

std::string ValueText(const WebnnGraph& graph, const Value& value) {
  std::ostringstream text;
  std::visit(
      [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Operand>) {
          text << OperandText(graph, v);
        } else if constexpr (std::is_same_v<T, std::vector<Operand>>) {
          for (Operand operand : v) text << (text.str().empty() ? "[" : ", ") << OperandText(graph, operand);
          text << "]";
        } else if constexpr (std::is_same_v<T, std::vector<int>>) {
          text << ShapeText(v);
        } else {
          text << v;
        }
      },
      value);
  return text.str();
}

std::string NameText(const WebnnGraph&, const WebnnGraph::Operator& node) { return std::string(node.op) + " "; }

std::string CallText(const WebnnGraph& graph, const WebnnGraph::Operator& node) {
  std::string text;
  for (const Value& argument : node.arguments) text += (text.empty() ? "" : ", ") + ValueText(graph, argument);
  for (const auto& [name, value] : node.options) text += ", " + std::string(name) + "=" + ValueText(graph, value);
  return std::string(node.op) + "(" + text + ")\n";
}

std::string Lower(void (*build)(TestSubgraph& graph),
                  std::string (*text_of)(const WebnnGraph& graph, const WebnnGraph::Operator& node)) {
  static const OpSupportLimits kLimits = AllLimits();
  TestModel file;
  build(file.main());
  LoadedModel model(file);
  const GraphView view(model.DelegateContext());
  const OpView op = view.op(0);
  GraphBuilder checker(&kLimits, &view, nullptr);
  const LoweringChoice choice = ChooseLowering(op, checker);
  if (!choice.status.ok()) return choice.status.message();
  WebnnGraph graph;
  GraphBuilder builder(&kLimits, &view, &graph);
  LowerNode(op, choice.lowering.form, builder);
  std::string text;
  for (const WebnnGraph::Operator& node : graph.operators) text += text_of(graph, node);
  text += "->";
  for (int i = 0; i < op.output_count(); ++i) builder.AddOutput(op.output(i));
  if (builder.rejected()) return "emitting rejects what the check allowed: " + builder.rejection();
  for (const auto& output : graph.outputs) {
    text += " " + std::string(DataTypeName(output.descriptor.data_type)) + ShapeText(output.descriptor.shape);
  }
  return text;
}

}  // namespace

std::string Lower(void (*build)(TestSubgraph& graph)) { return Lower(build, NameText); }

std::string LowerToCalls(void (*build)(TestSubgraph& graph)) { return Lower(build, CallText); }

}  // namespace tflite::webnn
