#include "delegate/lowering_choice.h"

#include <cstdio>
#include <vector>

#include "delegate/ops/op_registry.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {
namespace {

std::vector<TensorView> QuantizedTensors(const OpView& op) {
  std::vector<TensorView> tensors;
  for (int i = 0; i < op.input_count(); ++i) {
    if (op.HasInput(i) && IsQuantized(op.input(i).tensor())) tensors.push_back(op.input(i));
  }
  for (int i = 0; i < op.output_count(); ++i) {
    if (IsQuantized(op.output(i).tensor())) tensors.push_back(op.output(i));
  }
  return tensors;
}

// Rejects what no engine computes in integers, as far as its tensors show.
Status CheckActivations(const std::vector<TensorView>& quantized) {
  bool has_quantized_activation = false;
  for (const TensorView& tensor : quantized) {
    if (tensor.IsConstant()) continue;
    if (tensor.type() == kTfLiteInt16) return Unsupported("the activations are int16, which WebNN does not have");
    has_quantized_activation = true;
  }
  if (has_quantized_activation) return {};
  return Unsupported("only the weights are quantized: they are dequantized once, while the graph is built");
}

// Copying integers keeps their real numbers only if all tensors have the same scale and zero point.
Status CheckSameScales(const OpView& op) {
  const auto expected = ReadAffineQuantization(op.output(0).tensor());
  if (!expected.ok()) return Unsupported(op.output(0).text(), " ", expected.status.message());
  const auto differs = [&](const TensorView& tensor) {
    if (!IsQuantized(tensor.tensor())) return false;
    const auto found = ReadAffineQuantization(tensor.tensor());
    return !found.ok() || !(*found == *expected);
  };
  for (int i = 0; i < op.input_count(); ++i) {
    if (op.HasInput(i) && differs(op.input(i))) {
      return Unsupported("TFLite copies the integers of ", op.input(i).text(),
                         ", but its scale or zero point is not the output's");
    }
  }
  for (int i = 1; i < op.output_count(); ++i) {
    if (differs(op.output(i)))
      return Unsupported(op.output(i).text(), " has another scale or zero point than the first output");
  }
  return {};
}

bool IsSmallInteger(TfLiteType type) { return type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt16; }

// TFLite's kernels compute nonsense without a scale, or with the first of several.
Status CheckScaled(const OpView& op, const OpEntry& row, bool is_quantized) {
  if (row.quantized != QuantizedMeaning::kReal) return {};
  if (row.builtin_code == kTfLiteBuiltinConcatenation && !is_quantized) return {};  // plain integers are copied
  std::vector<TensorView> tensors;
  for (int i = 0; i < op.output_count(); ++i) tensors.push_back(op.output(i));
  for (int i = 0; is_quantized && i < op.input_count(); ++i) {
    if (op.HasInput(i)) tensors.push_back(op.input(i));
  }
  const bool is_conversion = row.builtin_code == kTfLiteBuiltinQuantize || row.builtin_code == kTfLiteBuiltinDequantize;
  // ai-edge-quantizer writes them for integer products, too, which then are zeros.
  const bool reads_one = row.builtin_code == kTfLiteBuiltinBatchMatmul && IsQuantized(op.output(0).tensor());
  for (const TensorView& tensor : tensors) {
    if (!IsSmallInteger(tensor.type())) continue;
    if (!IsQuantized(tensor.tensor())) {
      return Unsupported(tensor.text(), " is ", TfLiteTypeGetName(tensor.type()), " without a scale and a zero point");
    }
    const auto quantization = ReadAffineQuantization(tensor.tensor());
    if (quantization.ok() && !quantization->per_tensor() && (reads_one || !tensor.IsConstant()) && !is_conversion) {
      return Unsupported(tensor.text(), " has several scales, which TFLite supports ",
                         (reads_one ? "with float32 results only" : "in constants only"));
    }
  }
  return {};
}

// Between these, products and quotients of two scales, or of a square's, are normal float32 numbers, and so are the
// values.
constexpr float kSmallestScale = 0x1p-60f;
constexpr float kLargestScale = 0x1p60f;

// TFLite divides scales in double, so its results are right even near the ends of float32.
Status CheckScaleRange(const std::vector<TensorView>& quantized) {
  for (const TensorView& tensor : quantized) {
    const auto quantization = ReadAffineQuantization(tensor.tensor());
    if (!quantization.ok() || tensor.IsConstant()) continue;
    for (const float scale : quantization->scales) {
      if (scale >= kSmallestScale && scale <= kLargestScale) continue;
      char text[32];
      std::snprintf(text, sizeof(text), "%.6g", scale);
      return Unsupported(tensor.text(), " has the scale ", text, ", for which float32 arithmetic is not exact enough");
    }
  }
  return {};
}

Status TypeMismatch(const TensorView& tensor, TfLiteType activations, TfLiteType read) {
  return Unsupported(tensor.text(), " is ", TfLiteTypeGetName(tensor.type()), "; with ", TfLiteTypeGetName(activations),
                     " activations TFLite reads it as ", TfLiteTypeGetName(read));
}

// With float activations, kernels read uint8 weights as int8 without a zero point.
Status CheckFloatProduct(const OpView& op) {
  if (op.output(0).type() != kTfLiteFloat32 || !op.HasInput(0) || op.input(0).type() != kTfLiteFloat32) return {};
  for (int i = 1; i < op.input_count(); ++i) {
    if (!op.HasInput(i) || op.input(i).type() != kTfLiteUInt8 || !IsQuantized(op.input(i).tensor())) continue;
    return TypeMismatch(op.input(i), kTfLiteFloat32, kTfLiteInt8);
  }
  return {};
}

// Kernels read int16 weights in FULLY_CONNECTED with int16 activations only. Others must be uint8 if the activations
// are, else int8.
Status CheckWeights(const OpView& op, const OpEntry& row, TfLiteType activations) {
  const TensorView weights = op.input(1);
  const bool accepts_int16 = activations == kTfLiteInt16 && row.builtin_code == kTfLiteBuiltinFullyConnected;
  if (weights.type() == kTfLiteInt16 && accepts_int16) return {};
  const TfLiteType read = activations == kTfLiteUInt8 ? kTfLiteUInt8 : kTfLiteInt8;
  const bool is_signed_alike = (weights.type() == kTfLiteUInt8) == (read == kTfLiteUInt8);
  if (weights.type() != kTfLiteInt16 && is_signed_alike) return {};
  return TypeMismatch(weights, activations, read);
}

// Kernels of integer products read their input and weights as types that follow from the output's.
Status CheckIntegerProduct(const OpView& op, const OpEntry& row) {
  const TfLiteType output = op.output(0).type();
  const auto inputs = FindWeightInputs(row.builtin_code);
  if (!inputs || !IsSmallInteger(output)) return {};
  const TensorView input = op.input(inputs->data);
  // With int16 results, they read all but int16 as uint8.
  const TfLiteType read = output == kTfLiteInt16 && input.type() != kTfLiteInt16 ? kTfLiteUInt8 : output;
  if (input.type() != read) return TypeMismatch(input, output, read);
  return CheckWeights(op, row, read);
}

// `op` must have a row in the registry.
Status CheckMeaning(const OpView& op) {
  switch (FindOp(op)->quantized) {
    case QuantizedMeaning::kReal:
    case QuantizedMeaning::kInteger:
      return {};
    case QuantizedMeaning::kCopied:
      return IsQuantized(op.output(0).tensor()) ? CheckSameScales(op)
                                                : Unsupported("its output is not quantized like its input");
    case QuantizedMeaning::kUnknown:
      break;
  }
  return Unsupported(op.name(), " has quantized tensors whose meaning the delegate does not know");
}

}  // namespace

LoweringChoice ChooseLowering(const OpView& op, GraphBuilder& checker) {
  const bool is_folded = op.IsFolded();
  const std::vector<TensorView> quantized = QuantizedTensors(op);
  const bool is_quantized = op.output_count() > 0 && !quantized.empty();
  const OpEntry* row = FindOp(op);
  if (!is_folded && row != nullptr) {
    Status status = CheckScaled(op, *row, is_quantized);
    if (status.ok() && op.output_count() > 0 && op.input_count() > 1) {
      status = CheckFloatProduct(op);
      if (status.ok()) status = CheckIntegerProduct(op, *row);
    }
    if (status.ok()) status = CheckScaleRange(quantized);
    if (!status.ok()) return {{QuantizedForm::kCpu, ""}, std::move(status)};
  }
  if (is_folded || !is_quantized || row == nullptr) {
    LowerNode(op, QuantizedForm::kNone, checker);
    if (!checker.rejected()) return {{QuantizedForm::kNone, ""}, Status()};
    return {{is_quantized ? QuantizedForm::kCpu : QuantizedForm::kNone, ""}, Unsupported(checker.rejection())};
  }
  if (Status status = CheckMeaning(op); !status.ok()) return {{QuantizedForm::kCpu, ""}, std::move(status)};
  Status fused = CheckActivations(quantized);
  if (fused.ok()) {
    LowerNode(op, QuantizedForm::kFused, checker);
    fused = checker.rejected() ? Unsupported(checker.rejection()) : checker.CheckFusion();
    if (fused.ok()) return {{QuantizedForm::kFused, ""}, Status()};
  }
  LowerNode(op, QuantizedForm::kFloat, checker);
  if (checker.rejected()) return {{QuantizedForm::kCpu, ""}, Unsupported(checker.rejection())};
  return {{QuantizedForm::kFloat, fused.message()}, Status()};
}

}  // namespace tflite::webnn
