#include <string>
#include <vector>

#include "delegate/ops/families.h"

// Nodes whose result is known while the graph is built: they become constants or vanish.
namespace tflite::webnn {
namespace {

// int16 is held in float32, which would keep what the integers of a coarse scale lose.
void LowerQuantizeToInt16(const OpView& op, GraphBuilder& builder) {
  const Operand x = builder.Tensor(op.input(0));
  const Operand scale = builder.Constant({}, std::vector<float>{op.output(0).tensor().params.scale});
  const Operand integers = builder.Unary("roundEven", builder.Binary("div", x, scale));
  builder.SetOutput(op, 0, builder.Binary("mul", integers, scale));
}

// QUANTIZE and DEQUANTIZE, also of float16: the builder adds the operators that the tensors' types need.
void LowerQuantize(const OpView& op, GraphBuilder& builder) {
  if (op.output(0).type() == kTfLiteInt16) return LowerQuantizeToInt16(op, builder);
  Operand input = builder.Tensor(op.input(0));
  if (builder.KeepsIntegers(input) && builder.WorksAround(Workaround::kMovedIntegers))
    input = builder.Unary("identity", input);
  const bool is_float16 = !builder.refused() && builder.descriptor(input).data_type == DataType::kFloat16;
  builder.SetOutput(op, 0, is_float16 ? builder.Cast(input, DataType::kFloat32) : input);
}

// SHAPE, RANK, RANGE, BROADCAST_ARGS and DENSIFY whose result TFLite could not compute while it prepared the graph.
void LowerUnfolded(const OpView&, GraphBuilder& builder) {
  builder.Refuse("its result is not known before the model runs");
}

void LowerFill(const OpView& op, GraphBuilder& builder) {
  const Operand value = builder.Tensor(op.input(1));
  if (builder.refused()) return;
  if (!op.input(0).IsConstant()) {
    builder.Refuse("the shape must be a constant");
    return;
  }
  const OperandDescriptor output{builder.descriptor(value).data_type, op.output(0).shape()};
  builder.SetOutput(op, 0, builder.Emit({"expand", {{"input", value}}, {output.shape}}, output));
}

void LowerZerosLike(const OpView& op, GraphBuilder& builder) {
  const auto type = DataTypeFromTfLite(op.output(0).type());
  const std::vector<int> shape = op.output(0).shape();
  if (!type) {
    builder.Refuse(std::string("WebNN has no type ") + TfLiteTypeGetName(op.output(0).type()));
    return;
  }
  builder.SetOutput(op, 0,
                    builder.Emit({"expand", {{"input", builder.Constant(*type, {}, {0})}}, {shape}}, {*type, shape}));
}

// A variable that is an input and an output of the graph (runtime/rewrite/variables.h): the node hands a tensor on.
void LowerVariable(const OpView& op, GraphBuilder& builder) {
  if (op.input(0).type() == kTfLiteResource || op.output_count() != 1) {
    builder.Refuse("the variable stays with TFLite: WebNN graphs have no handles");
    return;
  }
  builder.SetOutput(op, 0, builder.Tensor(op.input(0)));
}

constexpr char kVariableLimits[] = "variables that several subgraphs use, or whose type or shape may change";

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinShape, LowerUnfolded, kUnknown, "constant", "shapes not known before the run"},
    {kTfLiteBuiltinRank, LowerUnfolded, kUnknown, "constant", ""},
    {kTfLiteBuiltinRange, LowerUnfolded, kUnknown, "constant", "limits not constant"},
    {kTfLiteBuiltinBroadcastArgs, LowerUnfolded, kUnknown, "constant", "shapes not constant"},
    {kTfLiteBuiltinFill, LowerFill, kCopied, "expand", "shape not constant"},
    {kTfLiteBuiltinZerosLike, LowerZerosLike, kUnknown, "constant", ""},
    {kTfLiteBuiltinQuantize, LowerQuantize, kReal, "dequantizeLinear, quantizeLinear; roundEven (int16)", ""},
    {kTfLiteBuiltinDequantize, LowerQuantize, kReal, "dequantizeLinear; cast (float16); constant", ""},
    {kTfLiteBuiltinReadVariable, LowerVariable, kCopied, "an input of the graph", kVariableLimits},
    {kTfLiteBuiltinAssignVariable, LowerVariable, kCopied, "an output of the graph", kVariableLimits},
    {kTfLiteBuiltinDensify, LowerUnfolded, kUnknown, "constant", "input not constant"},
};

}  // namespace

constinit const OpRows kFoldingOps = kRows;

}  // namespace tflite::webnn
