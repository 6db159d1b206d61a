#include "delegate/quantization/fusion_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "delegate/quantization/fusion_limits.h"

namespace tflite::webnn {
namespace {

constexpr char kNotQuantized[] = "an operand is not int8 or uint8 with one scale";
constexpr char kOutputType[] = "the result is not quantized to the type of the operands, with one scale";
constexpr char kDifferentParameters[] = "scale or zero point differ between operands and result";

bool IsInts8(DataType type) { return type == DataType::kInt8 || type == DataType::kUint8; }

bool IsScalarInts8(const AffineOperand* operand) {
  return operand != nullptr && IsInts8(operand->type) && operand->quantization.per_tensor();
}

float Scale(const AffineOperand* operand) { return operand->quantization.scales[0]; }
int ZeroPoint(const AffineOperand* operand) { return operand->quantization.zero_points[0]; }

bool AllZero(const AffineOperand* operand) {
  const std::vector<int>& zero_points = operand->quantization.zero_points;
  return std::all_of(zero_points.begin(), zero_points.end(), [](int z) { return z == 0; });
}

Status Unfused(const char* condition) { return Unsupported(condition); }

// Most kernels need inputs and outputs of one type, with one scale each.
Status ScalarRule(const QuantizedCall& call) {
  if (call.inputs.empty() || !std::all_of(call.inputs.begin(), call.inputs.end(), IsScalarInts8))
    return Unfused(kNotQuantized);
  const DataType type = call.inputs[0]->type;
  for (const AffineOperand* input : call.inputs) {
    if (input->type != type) return Unfused("the operands have different types");
  }
  for (const AffineOperand* output : call.outputs) {
    if (!IsScalarInts8(output) || output->type != type) return Unfused(kOutputType);
  }
  return {};
}

Status SameParametersRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  const auto same = [&](const AffineOperand* other) { return *other == *call.inputs[0]; };
  const bool all_same = std::all_of(call.inputs.begin(), call.inputs.end(), same) &&
                        std::all_of(call.outputs.begin(), call.outputs.end(), same);
  return all_same ? Status() : Unfused(kDifferentParameters);
}

Status PadRule(const QuantizedCall& call) {
  const Value* mode = call.FindOption("mode");
  if (mode != nullptr && std::string_view(std::get<const char*>(*mode)) == "edge") return Unfused("the mode is edge");
  return SameParametersRule(call);
}

// The int32 accumulators have the scale input * filter, so the bias must have it, too.
bool IsBiasScale(const AffineOperand* input, const AffineOperand* filter, const AffineOperand* bias,
                 const AffineOperand* output) {
  const std::vector<float>& filter_scales = filter->quantization.scales;
  const std::vector<float>& bias_scales = bias->quantization.scales;
  for (size_t i = 0; i < bias_scales.size(); ++i) {
    const double filter_scale = filter_scales[filter_scales.size() == 1 ? 0 : i];
    const double difference = std::abs(Scale(input) * filter_scale - bias_scales[i]) / Scale(output);
    if (!(difference <= kMaxBiasError)) return false;
  }
  return true;
}

Status Conv2dRule(const QuantizedCall& call) {
  if (call.inputs.size() != 3) return Unfused("it has no bias");
  const auto [input, filter, bias] = std::tuple(call.inputs[0], call.inputs[1], call.inputs[2]);
  const AffineOperand* output = call.outputs[0];
  if (!IsScalarInts8(input)) return Unfused(kNotQuantized);
  if (filter == nullptr || filter->type != input->type)
    return Unfused("the filter is not quantized to the input's type");
  if (bias == nullptr || bias->type != DataType::kInt32 || !AllZero(bias)) {
    return Unfused("the bias is not int32 with zero point 0");
  }
  if (!IsScalarInts8(output) || output->type != input->type) return Unfused(kOutputType);
  const size_t channels = call.output_descriptors[0].shape[3];
  const size_t filter_scales = filter->quantization.scales.size();
  const size_t bias_scales = bias->quantization.scales.size();
  if ((filter_scales != 1 && filter_scales != channels) || (bias_scales != 1 && bias_scales != filter_scales)) {
    return Unfused("the filter's or the bias's scales are not one, nor one for each output channel");
  }
  if (input->type == DataType::kUint8 && filter_scales != 1)
    return Unfused("an uint8 filter has a scale for each channel");
  if (input->type == DataType::kInt8 && !AllZero(filter)) return Unfused("the filter's zero point is not 0");
  if (!IsBiasScale(input, filter, bias, output)) return Unfused("the bias's scale is not input scale * filter scale");
  return {};
}

Status GemmRule(const QuantizedCall& call) {
  const AffineOperand* a = call.inputs[0];
  const AffineOperand* b = call.inputs[1];
  const AffineOperand* output = call.outputs[0];
  if (!IsScalarInts8(a)) return Unfused(kNotQuantized);
  if (b == nullptr || b->type != a->type) return Unfused("the weights are not quantized to the input's type");
  if (!IsScalarInts8(output) || output->type != a->type) return Unfused(kOutputType);
  // Engines drop it.
  if (a->type == DataType::kInt8 && !AllZero(b)) return Unfused("the weights' zero point is not 0");
  const AffineOperand* c = call.inputs.size() > 2 ? call.inputs[2] : nullptr;
  if (call.inputs.size() > 2 && (c == nullptr || c->type != DataType::kInt32)) return Unfused("the bias is not int32");
  if (!b->quantization.per_tensor()) {
    if (a->type != DataType::kInt8) return Unfused("uint8 weights have a scale for each unit");
    const bool transposed = call.FindOption("bTranspose") != nullptr;
    return transposed && b->quantization.dimension == 0 ? Status() : Unfused("the scales are not along the units");
  }
  if (c != nullptr && !IsBiasScale(a, b, c, output))
    return Unfused("the bias's scale is not input scale * weights scale");
  return {};
}

bool Within(float value, float min, float below) { return value >= min && value < below; }

Status AddRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  for (const AffineOperand* input : call.inputs) {
    if (!Within(Scale(input) / Scale(call.outputs[0]), kMinAddRatio, kRatioEnd)) {
      return Unfused("input scale / output scale is not in [2^-10, 256)");
    }
  }
  return {};
}

Status MulRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  const float ratio = Scale(call.inputs[0]) * Scale(call.inputs[1]) / Scale(call.outputs[0]);
  return Within(ratio, kMinMulRatio, kRatioEnd)
             ? Status()
             : Unfused("product of the input scales / output scale is not in [2^-16, 256)");
}

Status PoolRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  const bool same = std::abs(Scale(call.inputs[0]) - Scale(call.outputs[0])) <= kMaxPoolScaleError &&
                    ZeroPoint(call.inputs[0]) == ZeroPoint(call.outputs[0]);
  return same ? Status() : Unfused(kDifferentParameters);
}

// Ignores the indices, the second operand, which are not quantized.
Status GatherRule(const QuantizedCall& call) {
  const AffineOperand* input = call.inputs[0];
  if (input == nullptr || !IsInts8(input->type)) return Unfused(kNotQuantized);
  return call.outputs[0] != nullptr && *call.outputs[0] == *input ? Status() : Unfused(kDifferentParameters);
}

Status SoftmaxRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  const AffineOperand* output = call.outputs[0];
  if (output->type != DataType::kInt8) return {};
  const bool unit =
      std::abs(Scale(output) - kUnitScale) <= kMaxUnitScaleError * kUnitScale && ZeroPoint(output) == -128;
  return unit ? Status() : Unfused("the output's scale is not 1/256 with zero point -128");
}

Status SigmoidRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  return Scale(call.outputs[0]) == kUnitScale ? Status() : Unfused("the output's scale is not 1/256");
}

Status LeakyReluRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  const float positive = Scale(call.inputs[0]) / Scale(call.outputs[0]);
  const float negative = positive * call.FloatOption("alpha", 0.01f);
  const bool in_range = positive >= kMinLeakyRatio && positive <= kMaxLeakyRatio && negative >= kMinLeakySlope &&
                        negative <= kMaxLeakyRatio && std::abs(negative) >= kMinLeakyRatio;
  return in_range ? Status() : Unfused("alpha or input scale / output scale is out of the kernel's range");
}

Status EluRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  return call.inputs[0]->type == DataType::kInt8 ? Status() : Unfused("the input is not int8");
}

Status ClampRule(const QuantizedCall& call) {
  RETURN_IF_ERROR(ScalarRule(call));
  return IsActivationClamp(call) ? Status() : SameParametersRule(call);
}

// Results are indices or booleans, which are never quantized: only the inputs count.
Status InputsRule(const QuantizedCall& call) {
  for (const AffineOperand* input : call.inputs) {
    if (!IsScalarInts8(input)) return Unfused(kNotQuantized);
    if (!(*input == *call.inputs[0])) return Unfused(kDifferentParameters);
  }
  return {};
}

struct RuleEntry {
  std::string_view op;
  FusionRule rule;
};

constexpr RuleEntry kRules[] = {
    {"add", AddRule},
    {"argMax", InputsRule},
    {"averagePool2d", PoolRule},
    {"clamp", ClampRule},
    {"concat", SameParametersRule},
    {"conv2d", Conv2dRule},
    {"convTranspose2d", Conv2dRule},
    {"elu", EluRule},
    {"equal", InputsRule},
    {"gather", GatherRule},
    {"gemm", GemmRule},
    {"greater", InputsRule},
    {"greaterOrEqual", InputsRule},
    {"leakyRelu", LeakyReluRule},
    {"lesser", InputsRule},
    {"lesserOrEqual", InputsRule},
    {"max", SameParametersRule},
    {"maxPool2d", PoolRule},
    {"min", SameParametersRule},
    {"mul", MulRule},
    {"notEqual", InputsRule},
    {"pad", PadRule},
    {"reduceMax", ScalarRule},
    {"reduceMean", ScalarRule},
    {"reduceMin", ScalarRule},
    {"reduceSum", ScalarRule},
    {"resample2d", SameParametersRule},
    {"reshape", SameParametersRule},
    {"sigmoid", SigmoidRule},
    {"slice", SameParametersRule},
    {"softmax", SoftmaxRule},
    {"split", SameParametersRule},
    {"sub", AddRule},
    {"tanh", ScalarRule},
    {"transpose", SameParametersRule},
};

}  // namespace

const Value* QuantizedCall::FindOption(std::string_view name) const {
  for (const Option& option : op.options) {
    if (name == option.name) return &option.value;
  }
  return nullptr;
}

float QuantizedCall::FloatOption(std::string_view name, float otherwise) const {
  const Value* value = FindOption(name);
  return value != nullptr ? std::get<float>(*value) : otherwise;
}

FusionRule FindFusionRule(std::string_view op) {
  const auto* row = std::find_if(std::begin(kRules), std::end(kRules), [op](const RuleEntry& r) { return r.op == op; });
  return row == std::end(kRules) ? nullptr : row->rule;
}

bool IsActivationClamp(const QuantizedCall& call) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float min = call.FloatOption("minValue", -kInfinity);
  const float max = call.FloatOption("maxValue", kInfinity);
  return (min == -1 && max == 1) || (min == 0 && (max == 1 || max == 6 || max == kInfinity));
}

}  // namespace tflite::webnn
