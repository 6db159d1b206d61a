#include <wasm_simd128.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/kernels/padding.h"
#include "tflite_kernels/custom_kernels.h"
#include "tflite_kernels/integer_products.h"
#include "tflite_kernels/integer_scales.h"

namespace tflite::webnn {
namespace {

// How many elements of the input's patches are copied together.
constexpr int kPatchesSize = 1 << 16;

// How many taps of a depthwise filter fit in a sum of 32 bits.
constexpr int kMaxTaps = 256;

const TfLiteRegistration& Conv2d() { return *ops::builtin::Register_CONV_2D(); }
const TfLiteRegistration& DepthwiseConv2d() { return *ops::builtin::Register_DEPTHWISE_CONV_2D(); }

// Without groups, or one filter for each channel: the input has the filter's depth.
bool HasSimdKernel(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* bias = GetOptionalInputTensor(context, node, kBias);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  return input->type == kTfLiteInt16 && filter->type == kTfLiteInt8 && bias != nullptr && bias->type == kTfLiteInt64 &&
         SizeOfDimension(input, 3) == SizeOfDimension(filter, 3) && !IsDynamicTensor(output);
}

// The input's patches that make the outputs of one image, [filter height, filter width, depth] each.
template <typename Params>
class Patches {
 public:
  Patches(const TfLiteTensor* input, const TfLiteTensor* filter, const TfLiteTensor* output, const Params& p)
      : params_(p),
        zeros_(SizeOfDimension(input, 3), 0),
        depth_(SizeOfDimension(input, 3)),
        height_(SizeOfDimension(input, 1)),
        width_(SizeOfDimension(input, 2)),
        filter_height_(SizeOfDimension(filter, 1)),
        filter_width_(SizeOfDimension(filter, 2)),
        output_width_(SizeOfDimension(output, 2)) {
    int unused_height, unused_width;
    padding_ = ComputePaddingHeightWidth(p.stride_height, p.stride_width, p.dilation_height_factor,
                                         p.dilation_width_factor, height_, width_, filter_height_, filter_width_,
                                         p.padding, &unused_height, &unused_width);
  }

  int taps() const { return filter_height_ * filter_width_; }
  int size() const { return taps() * depth_; }

  // Points at each tap's row of the patch.
  void Locate(const int16_t* image, int output_index, const int16_t** rows) const {
    const int top = output_index / output_width_ * params_.stride_height - padding_.height;
    const int left = output_index % output_width_ * params_.stride_width - padding_.width;
    for (int i = 0; i < filter_height_; ++i) {
      const int y = top + i * params_.dilation_height_factor;
      for (int j = 0; j < filter_width_; ++j) {
        const int x = left + j * params_.dilation_width_factor;
        const bool is_padding = y < 0 || y >= height_ || x < 0 || x >= width_;
        *rows++ = is_padding ? zeros_.data() : image + (static_cast<size_t>(y) * width_ + x) * depth_;
      }
    }
  }

 private:
  const Params& params_;
  std::vector<int16_t> zeros_;
  int depth_, height_, width_, filter_height_, filter_width_, output_width_;
  TfLitePaddingValues padding_;
};

// How TFLite scales the output's channels.
struct Quantization {
  explicit Quantization(int channels) : scales(channels, /*rounds_up=*/true) {}

  WideScales scales;
  int32_t min, max;
  bool is_regular = true;  // else only TFLite's kernel computes with it
};

TfLiteStatus SetQuantization(TfLiteContext* context, TfLiteNode* node, TfLiteFusedActivation activation, int channels,
                             Quantization* quantization) {
  std::vector<int32_t> multipliers(channels);
  std::vector<int> shifts(channels);
  int32_t unused_multiplier;
  int unused_shift;
  const TfLiteTensor* bias = GetInput(context, node, kBias);
  TF_LITE_ENSURE_OK(context, PopulateConvolutionQuantizationParams(
                                 context, GetInput(context, node, kInput), GetInput(context, node, kFilter), bias,
                                 GetOutput(context, node, 0), activation, &unused_multiplier, &unused_shift,
                                 &quantization->min, &quantization->max, multipliers.data(), shifts.data(), channels));
  for (int i = 0; i < channels && quantization->is_regular; ++i) {
    quantization->is_regular = quantization->scales.SetBias(i, GetTensorData<int64_t>(bias)[i]) &&
                               quantization->scales.SetFactor(i, multipliers[i], shifts[i]);
  }
  return kTfLiteOk;
}

// Computes 8 channels of one output.
void ComputeChannels(const std::vector<const int16_t*>& taps, const int8_t* filter, int channels, int channel,
                     const Quantization& quantization, int16_t* output) {
  v128_t low = wasm_i32x4_const_splat(0), high = low;
  filter += channel;
  for (const int16_t* tap : taps) {
    const v128_t values = wasm_v128_load(tap + channel), weights = wasm_i16x8_load8x8(filter);
    low = wasm_i32x4_add(low, wasm_i32x4_extmul_low_i16x8(values, weights));
    high = wasm_i32x4_add(high, wasm_i32x4_extmul_high_i16x8(values, weights));
    filter += channels;
  }
  for (const v128_t sums : {low, high}) {
    const WideSums wide{wasm_i64x2_extend_low_i32x4(sums), wasm_i64x2_extend_high_i32x4(sums)};
    StoreClamped(quantization.scales(channel, wide), quantization.min, quantization.max, 4, output + channel);
    channel += 4;
  }
}

}  // namespace

// CONV_2D of int16 activations, int8 weights and 64-bit sums, for which TFLite has a reference kernel only.
TfLiteStatus EvalIntegerConv2d(TfLiteContext* context, TfLiteNode* node) {
  if (!HasSimdKernel(context, node)) return Conv2d().invoke(context, node);
  const auto& params = *static_cast<const TfLiteConvParams*>(node->builtin_data);
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const int channels = SizeOfDimension(filter, 0);
  Quantization quantization(channels);
  TF_LITE_ENSURE_OK(context, SetQuantization(context, node, params.activation, channels, &quantization));
  if (!quantization.is_regular) return Conv2d().invoke(context, node);
  const Patches patches(input, filter, output, params);
  IntegerColumns weights(channels, patches.size());
  weights.Fill(GetTensorData<int8_t>(filter), patches.size(), 1, 0);
  const int depth = SizeOfDimension(input, 3);
  const int image_size = SizeOfDimension(input, 1) * SizeOfDimension(input, 2) * depth;
  const int outputs = SizeOfDimension(output, 1) * SizeOfDimension(output, 2);
  const int block = std::min(outputs, std::max(kLanes, kPatchesSize / std::max(patches.size(), 1)));
  std::vector<const int16_t*> taps(patches.taps());
  for (int batch = 0; batch < SizeOfDimension(output, 0); ++batch) {
    const int16_t* image = GetTensorData<int16_t>(input) + static_cast<size_t>(batch) * image_size;
    int16_t* result = GetTensorData<int16_t>(output) + static_cast<size_t>(batch) * outputs * channels;
    for (int begin = 0; begin < outputs; begin += block) {
      IntegerRows rows(std::min(block, outputs - begin), patches.size());
      for (int i = 0; i < rows.count(); ++i) {
        patches.Locate(image, begin + i, taps.data());
        for (int tap = 0; tap < patches.taps(); ++tap) std::copy_n(taps[tap], depth, rows.at(i) + tap * depth);
      }
      MultiplyRows(rows, weights, quantization.scales, quantization.min, quantization.max,
                   result + static_cast<size_t>(begin) * channels);
    }
  }
  return kTfLiteOk;
}

// DEPTHWISE_CONV_2D of the same types, one filter for each channel, and at least 8 channels.
TfLiteStatus EvalIntegerDepthwiseConv2d(TfLiteContext* context, TfLiteNode* node) {
  if (!HasSimdKernel(context, node)) return DepthwiseConv2d().invoke(context, node);
  const auto& params = *static_cast<const TfLiteDepthwiseConvParams*>(node->builtin_data);
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const int channels = SizeOfDimension(filter, 3);
  const Patches patches(input, filter, output, params);
  if (channels < kLanes || patches.taps() > kMaxTaps) return DepthwiseConv2d().invoke(context, node);
  Quantization quantization(channels);
  TF_LITE_ENSURE_OK(context, SetQuantization(context, node, params.activation, channels, &quantization));
  if (!quantization.is_regular) return DepthwiseConv2d().invoke(context, node);
  const int image_size = SizeOfDimension(input, 1) * SizeOfDimension(input, 2) * channels;
  const int outputs = SizeOfDimension(output, 1) * SizeOfDimension(output, 2);
  std::vector<const int16_t*> taps(patches.taps());
  int16_t* result = GetTensorData<int16_t>(output);
  for (int batch = 0; batch < SizeOfDimension(output, 0); ++batch) {
    const int16_t* image = GetTensorData<int16_t>(input) + static_cast<size_t>(batch) * image_size;
    for (int i = 0; i < outputs; ++i, result += channels) {
      patches.Locate(image, i, taps.data());
      for (int channel = 0; channel < channels; channel += kLanes) {
        // The last channels overlap those before, to be 8.
        ComputeChannels(taps, GetTensorData<int8_t>(filter), channels, std::min(channel, channels - kLanes),
                        quantization, result);
      }
    }
  }
  return kTfLiteOk;
}

}  // namespace tflite::webnn
