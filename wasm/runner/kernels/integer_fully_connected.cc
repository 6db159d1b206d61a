#include "runner/kernels/integer_fully_connected.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "runner/kernels/integer_products.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

constexpr int kInput = 0;
constexpr int kFilter = 1;
constexpr int kBias = 2;

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

// How the sums of one channel become the output's integers. TFLite rounds the products of 64-bit sums in double, and
// leaves those of 32-bit sums to ruy, which rounds once.
class Channel {
 public:
  Channel(double scale, bool has_wide_sums) : scale_(scale), has_wide_sums_(has_wide_sums) {
    QuantizeMultiplier(scale, &multiplier_, &shift_);
  }

  // Whether the scale is one that ruy takes.
  bool is_regular() const { return has_wide_sums_ || (shift_ >= -31 && shift_ <= 7); }

  int32_t Scaled(int64_t sum) const {
    if (has_wide_sums_) return static_cast<int32_t>(std::round(static_cast<double>(sum) * scale_));
    const int64_t product = int64_t{static_cast<int32_t>(sum)} * multiplier_;
    const int total_shift = 31 - shift_;
    return static_cast<int32_t>((product + (int64_t{1} << (total_shift - 1))) >> total_shift);
  }

 private:
  double scale_;
  bool has_wide_sums_;
  int32_t multiplier_;
  int shift_;
};

bool HasWideSums(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* bias = BiasOf(context, node);
  const auto& params = *static_cast<const TfLiteFullyConnectedParams*>(node->builtin_data);
  return params.quantized_bias_type == kTfLiteInt64 || (bias != nullptr && bias->type == kTfLiteInt64);
}

// With TFLite's arithmetic, which multiplies two scales in float if there is one for all channels and sums have 32
// bits.
std::vector<Channel> ChannelsOf(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  const bool has_wide_sums = HasWideSums(context, node);
  const TfLiteFloatArray& scales = *static_cast<TfLiteAffineQuantization*>(filter->quantization.params)->scale;
  std::vector<Channel> channels;
  for (int i = 0; i < SizeOfDimension(filter, 0); ++i) {
    const double filter_scale = scales.data[scales.size == 1 ? 0 : i];
    double scale = static_cast<double>(input->params.scale) * filter_scale / static_cast<double>(output->params.scale);
    if (scales.size == 1 && !has_wide_sums &&
        GetQuantizedConvolutionMultipler(context, input, filter, BiasOf(context, node),
                                         const_cast<TfLiteTensor*>(output), &scale) != kTfLiteOk) {
      return {};
    }
    channels.emplace_back(scale, has_wide_sums);
  }
  return channels;
}

TfLiteStatus EvalWithSimd(TfLiteContext* context, TfLiteNode* node, const std::vector<Channel>& channels) {
  const auto& params = *static_cast<const TfLiteFullyConnectedParams*>(node->builtin_data);
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* bias = BiasOf(context, node);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const int units = SizeOfDimension(filter, 0);
  const int depth = SizeOfDimension(filter, 1);
  TF_LITE_ENSURE(context, depth > 0 && NumElements(input) % depth == 0);
  const int rows = static_cast<int>(NumElements(input) / depth);
  TF_LITE_ENSURE_EQ(context, NumElements(output), int64_t{rows} * units);
  int32_t least, most;
  TF_LITE_ENSURE_OK(context, CalculateActivationRangeQuantized(context, params.activation, output, &least, &most));
  IntegerRows left(rows, depth), right(units, depth);
  left.Fill(GetTensorData<int16_t>(input), depth, depth, 1, 0);
  right.Fill(GetTensorData<int8_t>(filter), depth, depth, 1, 0);
  std::vector<int64_t> biases(units, 0);
  for (int i = 0; bias != nullptr && i < units; ++i) {
    biases[i] = bias->type == kTfLiteInt64 ? bias->data.i64[i] : bias->data.i32[i];
  }
  int16_t* result = GetTensorData<int16_t>(output);
  MultiplyRows<kDepthOf16And9Bits>(left, right, [&](int row, int unit, int64_t sum) {
    const int32_t value = std::clamp(channels[unit].Scaled(sum + biases[unit]), least, most);
    result[static_cast<size_t>(row) * units + unit] = static_cast<int16_t>(value);
  });
  return kTfLiteOk;
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  if (!HasSimdKernel(context, node)) return FullyConnected().invoke(context, node);
  const std::vector<Channel> channels = ChannelsOf(context, node);
  const bool is_regular = !channels.empty() && std::all_of(channels.begin(), channels.end(),
                                                           [](const Channel& channel) { return channel.is_regular(); });
  return is_regular ? EvalWithSimd(context, node, channels) : FullyConnected().invoke(context, node);
}

}  // namespace

const TfLiteRegistration* RegisterIntegerFullyConnected() {
  static const TfLiteRegistration registration = [] {
    TfLiteRegistration r = FullyConnected();
    r.invoke = Eval;
    return r;
  }();
  return &registration;
}

}  // namespace tflite::webnn
