#include "delegate/quantization/node_check.h"

#include "delegate/op_registry.h"

namespace tflite::webnn {
namespace {

bool HasQuantizedTensor(const OpView& op) {
  for (int i = 0; i < op.input_count(); ++i) {
    if (op.HasInput(i) && IsQuantized(op.input(i).tensor())) return true;
  }
  for (int i = 0; i < op.output_count(); ++i) {
    if (IsQuantized(op.output(i).tensor())) return true;
  }
  return false;
}

// What copies integers keeps the real numbers only where all tensors agree on what the integers stand for.
std::string MismatchRefusal(const OpView& op) {
  std::string error;
  const auto expected = ReadAffineQuantization(op.output(0).tensor(), &error);
  if (!expected) return op.output(0).text() + " " + error;
  const auto differs = [&](const TensorView& tensor) {
    if (!IsQuantized(tensor.tensor())) return false;
    const auto found = ReadAffineQuantization(tensor.tensor(), &error);
    return !found || !(*found == *expected);
  };
  for (int i = 0; i < op.input_count(); ++i) {
    if (op.HasInput(i) && differs(op.input(i))) {
      return "TFLite copies the integers of " + op.input(i).text() +
             ", but its scale or zero point is not the output's";
    }
  }
  for (int i = 1; i < op.output_count(); ++i) {
    if (differs(op.output(i))) return op.output(i).text() + " has another scale or zero point than the first output";
  }
  return "";
}

// Of an op that the registry knows.
std::string RefusalByMeaning(const OpView& op) {
  switch (FindOp(op)->quantized) {
    case QuantizedMeaning::kReal:
    case QuantizedMeaning::kInteger:
      return "";
    case QuantizedMeaning::kCopied:
      return IsQuantized(op.output(0).tensor()) ? MismatchRefusal(op) : "its output is not quantized as its input is";
    case QuantizedMeaning::kUnknown:
      break;
  }
  return std::string(op.name()) + " has no meaning for quantized tensors that the delegate knows";
}

}  // namespace

NodeCheck CheckNode(const OpView& op, GraphBuilder& checker) {
  const bool is_folded = op.output_count() == 1 && op.output(0).IsConstant();
  const bool is_quantized = op.output_count() > 0 && HasQuantizedTensor(op);
  if (is_folded || !is_quantized || FindOp(op) == nullptr) {
    LowerNode(op, QuantizedForm::kNone, checker);
    return {{checker.refused() && is_quantized ? QuantizedForm::kCpu : QuantizedForm::kNone, ""}, checker.refusal()};
  }
  std::string refusal = RefusalByMeaning(op);
  if (!refusal.empty()) return {{QuantizedForm::kCpu, ""}, std::move(refusal)};
  LowerNode(op, QuantizedForm::kFused, checker);
  std::string condition = checker.refused() ? checker.refusal() : checker.FailedFusionCondition();
  if (condition.empty()) return {{QuantizedForm::kFused, ""}, ""};
  LowerNode(op, QuantizedForm::kFloat, checker);
  if (checker.refused()) return {{QuantizedForm::kCpu, ""}, checker.refusal()};
  return {{QuantizedForm::kFloat, std::move(condition)}, ""};
}

}  // namespace tflite::webnn
