#include "tests/unit/lowering_cases.h"

#include <string_view>

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

}  // namespace

std::string Lower(void (*build)(TestSubgraph& graph)) {
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
  for (const WebnnGraph::Operator& node : graph.operators) text += std::string(node.op) + " ";
  text += "->";
  for (int i = 0; i < op.output_count(); ++i) builder.AddOutput(op.output(i));
  if (builder.rejected()) return "emitting rejects what the check allowed: " + builder.rejection();
  for (const auto& output : graph.outputs) {
    text += " " + std::string(DataTypeName(output.descriptor.data_type)) + ShapeText(output.descriptor.shape);
  }
  return text;
}

}  // namespace tflite::webnn
