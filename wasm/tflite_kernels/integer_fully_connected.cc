#include <cstdint>
#include <vector>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"
#include "tflite_kernels/integer_products.h"
#include "tflite_kernels/integer_scales.h"

namespace tflite::webnn {
namespace {

const TfLiteRegistration& FullyConnected() { return *ops::builtin::Register_FULLY_CONNECTED(); }

const TfLiteTensor* BiasOf(TfLiteContext* context, TfLiteNode* node) {
  return NumInputs(node) > kBias ? GetOptionalInputTensor(context, node, kBias) : nullptr;
}

bool HasSimdKernel(TfLiteContext* context, TfLiteNode* node) {
  const auto& params = *static_cast<const TfLiteFullyConnectedParams*>(node->builtin_data);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  return GetInput(context, node, kInput)->type == kTfLiteInt16 && output->type == kTfLiteInt16 &&
         filter->type == kTfLiteInt8 && filter->sparsity == nullptr && filter->dims->size == 2 &&
         filter->quantization.type == kTfLiteAffineQuantization && filter->params.zero_point == 0 &&
         params.weights_format == kTfLiteFullyConnectedWeightsFormatDefault && !IsDynamicTensor(output);
}

bool HasWideSums(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* bias = BiasOf(context, node);
  const auto& params = *static_cast<const TfLiteFullyConnectedParams*>(node->builtin_data);
  return params.quantized_bias_type == kTfLiteInt64 || (bias != nullptr && bias->type == kTfLiteInt64);
}

// With TFLite's arithmetic, which multiplies two scales in float if there is one for all channels and sums have 32
// bits. Empty if it rejects them.
std::vector<double> ScalesOf(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  const bool has_wide_sums = HasWideSums(context, node);
  const TfLiteFloatArray& filter_scales = *static_cast<TfLiteAffineQuantization*>(filter->quantization.params)->scale;
  std::vector<double> scales;
  for (int i = 0; i < SizeOfDimension(filter, 0); ++i) {
    const double filter_scale = filter_scales.data[filter_scales.size == 1 ? 0 : i];
    double scale = static_cast<double>(input->params.scale) * filter_scale / static_cast<double>(output->params.scale);
    if (filter_scales.size == 1 && !has_wide_sums &&
        GetQuantizedConvolutionMultipler(context, input, filter, BiasOf(context, node),
                                         const_cast<TfLiteTensor*>(output), &scale) != kTfLiteOk) {
      return {};
    }
    scales.push_back(scale);
  }
  return scales;
}

int64_t BiasAt(const TfLiteTensor* bias, int unit) {
  if (bias == nullptr) return 0;
  return bias->type == kTfLiteInt64 ? bias->data.i64[unit] : bias->data.i32[unit];
}

template <typename Scale>
TfLiteStatus EvalWithSimd(TfLiteContext* context, TfLiteNode* node, const Scale& scale) {
  const auto& params = *static_cast<const TfLiteFullyConnectedParams*>(node->builtin_data);
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const int units = SizeOfDimension(filter, 0);
  const int depth = SizeOfDimension(filter, 1);
  TF_LITE_ENSURE(context, depth > 0 && NumElements(input) % depth == 0);
  const int rows = static_cast<int>(NumElements(input) / depth);
  TF_LITE_ENSURE_EQ(context, NumElements(output), int64_t{rows} * units);
  int32_t min, max;
  TF_LITE_ENSURE_OK(context, CalculateActivationRangeQuantized(context, params.activation, output, &min, &max));
  IntegerRows left(rows, depth);
  IntegerColumns right(units, depth);
  left.Fill(GetTensorData<int16_t>(input), depth, depth, 1, 0);
  right.Fill(GetTensorData<int8_t>(filter), depth, 1, 0);
  MultiplyRows(left, right, scale, min, max, GetTensorData<int16_t>(output));
  return kTfLiteOk;
}

}  // namespace

// FULLY_CONNECTED of int16 activations and int8 weights, for which XNNPACK has no kernel.
TfLiteStatus EvalIntegerFullyConnected(TfLiteContext* context, TfLiteNode* node) {
  if (!HasSimdKernel(context, node)) return FullyConnected().invoke(context, node);
  const std::vector<double> factors = ScalesOf(context, node);
  const TfLiteTensor* bias = BiasOf(context, node);
  const int units = SizeOfDimension(GetInput(context, node, kFilter), 0);
  bool is_regular = !factors.empty();
  // TFLite rounds the products of 64-bit sums in double, and leaves those of 32-bit sums to ruy.
  if (HasWideSums(context, node)) {
    WideScales scales(units, /*rounds_up=*/false);
    for (int i = 0; is_regular && i < units; ++i) {
      is_regular = scales.SetBias(i, BiasAt(bias, i));
      scales.SetFactor(i, factors[i]);
    }
    return is_regular ? EvalWithSimd(context, node, scales) : FullyConnected().invoke(context, node);
  }
  NarrowScales scales(units);
  for (int i = 0; is_regular && i < units; ++i) {
    int32_t multiplier;
    int shift;
    QuantizeMultiplier(factors[i], &multiplier, &shift);
    is_regular = scales.Set(i, BiasAt(bias, i), multiplier, shift);
  }
  return is_regular ? EvalWithSimd(context, node, scales) : FullyConnected().invoke(context, node);
}

}  // namespace tflite::webnn
