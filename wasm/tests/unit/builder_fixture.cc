#include "tests/unit/builder_fixture.h"

#include <string_view>

#include "support/text.h"

namespace tflite::webnn {
namespace {

constexpr char kTypes[] = " float32,float16,int32,int64,int8,uint8 0 5\n";
constexpr char kOperands[] =
    "input constant output add.a add.b add.output sub.a sub.b sub.output mul.a mul.b mul.output div.a div.b div.output "
    "equal.a equal.b equal.output "
    "relu.input relu.output clamp.input clamp.output identity.input identity.output cast.input cast.output "
    "roundEven.input roundEven.output reshape.input reshape.output transpose.input transpose.output slice.input "
    "slice.output concat.inputs concat.output reverse.input reverse.output split.input split.outputs where.condition "
    "where.trueValue where.falseValue where.output gather.input gather.indices gather.output gatherND.input "
    "gatherND.indices gatherND.output quantizeLinear.input quantizeLinear.scale quantizeLinear.zeroPoint "
    "quantizeLinear.output dequantizeLinear.input dequantizeLinear.scale dequantizeLinear.zeroPoint "
    "dequantizeLinear.output";

}  // namespace

std::string LimitsText(const std::string& rows) {
  std::string text;
  for (const std::string_view operand : SplitText(kOperands, ' ')) {
    const std::string name = std::string(operand) + " ";
    if (("\n" + rows).find("\n" + name) == std::string::npos) text += std::string(operand) + kTypes;
  }
  return text + rows;
}

const GraphView& BuilderTest::View() {
  if (view_ == nullptr) {
    model_ = std::make_unique<LoadedModel>(file_);
    view_ = std::make_unique<GraphView>(model_->DelegateContext());
  }
  return *view_;
}

GraphBuilder& BuilderTest::Begin(WebnnGraph* graph, QuantizedForm form) {
  const auto limits = OpSupportLimits::Parse(LimitsText(limits_text_));
  EXPECT_TRUE(limits.ok()) << limits.status.ToJson();
  limits_ = *limits;
  limits_.WorkAround(workarounds_);
  builder_ = std::make_unique<GraphBuilder>(&limits_, &View(), graph);
  builder_->BeginNode(Op(0), form);
  return *builder_;
}

std::string BuilderTest::Operators() const {
  std::string names;
  for (const WebnnGraph::Operator& node : graph_.operators) names += (names.empty() ? "" : " ") + std::string(node.op);
  return names;
}

}  // namespace tflite::webnn
