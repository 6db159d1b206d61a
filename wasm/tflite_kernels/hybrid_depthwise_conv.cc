#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/cpu_backend_context.h"
#include "tensorflow/lite/kernels/internal/tensor_utils.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/convolution_axis.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// The first of the temporaries that TFLite's Prepare() makes.
constexpr int kQuantizedInput = 0;
// Channels per group of vectors.
constexpr int kGroup = 8;

// Quantization of one image: real = (integer - zero_point) * scale.
struct AsymmetricScale {
  float scale;
  int32_t zero_point;
};

// One run of a node.
struct Convolution {
  ConvolutionAxis height;
  ConvolutionAxis width;
  int channels;
  const int8_t* input;                  // quantized, one image after the other
  const AsymmetricScale* input_scales;  // one per image
  const int8_t* filter;
  const float* filter_scales;
  const float* bias;  // may be null
  float min;
  float max;
  float* output;
};

// The taps and inputs of one output pixel.
struct Window {
  const int8_t* input;  // at the first tap inside of the input
  const int8_t* filter;
  int rows;
  int columns;
  size_t input_row_step;
  size_t input_column_step;
  size_t filter_row_step;
  size_t filter_column_step;
};

Window WindowAt(const Convolution& conv, int image, const Taps& rows, const Taps& columns) {
  const size_t channels = conv.channels;
  const size_t row = conv.width.input_size * channels;
  const size_t first_row = static_cast<size_t>(image) * conv.height.input_size + rows.input_begin;
  return {.input = conv.input + first_row * row + columns.input_begin * channels,
          .filter = conv.filter + (rows.begin * conv.width.filter_size + columns.begin) * channels,
          .rows = rows.count,
          .columns = columns.count,
          .input_row_step = conv.height.dilation * row,
          .input_column_step = conv.width.dilation * channels,
          .filter_row_step = conv.width.filter_size * channels,
          .filter_column_step = channels};
}

// Sums of products for `kGroups` groups of channels, each in two vectors of four.
template <int kGroups>
void Accumulate(const Window& window, int channel, v128_t zero_point, v128_t* sums) {
  for (int i = 0; i < 2 * kGroups; ++i) sums[i] = wasm_i32x4_const_splat(0);
  for (int y = 0; y < window.rows; ++y) {
    const int8_t* input = window.input + y * window.input_row_step + channel;
    const int8_t* filter = window.filter + y * window.filter_row_step + channel;
    for (int x = 0; x < window.columns; ++x) {
      for (int group = 0; group < kGroups; ++group) {
        const v128_t values = wasm_i16x8_sub(wasm_i16x8_load8x8(input + group * kGroup), zero_point);
        // At most 255 * 128, which fits in 16 bits.
        const v128_t products = wasm_i16x8_mul(values, wasm_i16x8_load8x8(filter + group * kGroup));
        sums[2 * group] = wasm_i32x4_add(sums[2 * group], wasm_i32x4_extend_low_i16x8(products));
        sums[2 * group + 1] = wasm_i32x4_add(sums[2 * group + 1], wasm_i32x4_extend_high_i16x8(products));
      }
      input += window.input_column_step;
      filter += window.filter_column_step;
    }
  }
}

// The sums of four channels as floats. TFLite multiplies by the filter's scale first in vectors, but by the input's
// scale first in the one to three channels left over at the end.
v128_t Scaled(v128_t sums, v128_t filter_scales, v128_t input_scale, int left_over) {
  const v128_t values = wasm_f32x4_convert_i32x4(sums);
  const v128_t filter_first = wasm_f32x4_mul(wasm_f32x4_mul(values, filter_scales), input_scale);
  if (left_over == 0) return filter_first;
  const v128_t input_first = wasm_f32x4_mul(wasm_f32x4_mul(values, input_scale), filter_scales);
  const v128_t is_left_over = wasm_i32x4_gt(wasm_i32x4_const(0, 1, 2, 3), wasm_i32x4_splat(3 - left_over));
  return wasm_v128_bitselect(input_first, filter_first, is_left_over);
}

void Store(const Convolution& conv, int channel, v128_t scaled, float* pixel) {
  const v128_t bias = conv.bias == nullptr ? wasm_f32x4_const_splat(0) : wasm_v128_load(conv.bias + channel);
  const v128_t values = wasm_f32x4_pmax(wasm_f32x4_splat(conv.min), wasm_f32x4_add(scaled, bias));
  wasm_v128_store(pixel + channel, wasm_f32x4_pmin(wasm_f32x4_splat(conv.max), values));
}

// Computes `kGroups` groups of channels; Scaled() explains `left_over`, which applies to the last vector.
template <int kGroups>
void ComputeChannels(const Convolution& conv, const Window& window, const AsymmetricScale& input_scale, int channel,
                     int left_over, float* pixel) {
  v128_t sums[2 * kGroups];
  Accumulate<kGroups>(window, channel, wasm_i16x8_splat(static_cast<int16_t>(input_scale.zero_point)), sums);
  for (int i = 0; i < 2 * kGroups; ++i) {
    const int first = channel + 4 * i;
    const v128_t scales = wasm_v128_load(conv.filter_scales + first);
    const int single = i + 1 < 2 * kGroups ? 0 : left_over;
    Store(conv, first, Scaled(sums[i], scales, wasm_f32x4_splat(input_scale.scale), single), pixel);
  }
}

void ComputePixel(const Convolution& conv, const Window& window, const AsymmetricScale& input_scale, float* pixel) {
  int channel = 0;
  for (; channel + 2 * kGroup <= conv.channels; channel += 2 * kGroup)
    ComputeChannels<2>(conv, window, input_scale, channel, 0, pixel);
  for (; channel + kGroup <= conv.channels; channel += kGroup)
    ComputeChannels<1>(conv, window, input_scale, channel, 0, pixel);
  // The last group overlaps the one before, to be a full one.
  if (channel < conv.channels)
    ComputeChannels<1>(conv, window, input_scale, conv.channels - kGroup, conv.channels % 4, pixel);
}

// Computes output rows [begin, end), counted across all images.
void ComputeRows(const Convolution& conv, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const int image = static_cast<int>(row / conv.height.output_size);
    const Taps rows = TapsAt(static_cast<int>(row % conv.height.output_size), conv.height);
    float* pixel = conv.output + static_cast<size_t>(row) * conv.width.output_size * conv.channels;
    for (int x = 0; x < conv.width.output_size; ++x, pixel += conv.channels) {
      const Window window = WindowAt(conv, image, rows, TapsAt(x, conv.width));
      ComputePixel(conv, window, conv.input_scales[image], pixel);
    }
  }
}

const TfLiteFloatArray* ScalesOf(const TfLiteTensor* tensor) {
  if (tensor->quantization.type != kTfLiteAffineQuantization) return nullptr;
  return static_cast<const TfLiteAffineQuantization*>(tensor->quantization.params)->scale;
}

bool HasSimdKernel(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  if (input->type != kTfLiteFloat32 || filter->type != kTfLiteInt8) return false;
  const int channels = SizeOfDimension(filter, 3);
  const TfLiteFloatArray* scales = ScalesOf(filter);
  return channels == SizeOfDimension(input, 3) && channels >= kGroup && scales != nullptr && scales->size == channels;
}

Convolution ConvolutionOf(TfLiteContext* context, TfLiteNode* node) {
  const auto& params = *static_cast<const TfLiteDepthwiseConvParams*>(node->builtin_data);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* bias = NumInputs(node) == 3 ? GetInput(context, node, kBias) : nullptr;
  const int* in = GetInput(context, node, kInput)->dims->data;
  const int* window = filter->dims->data;
  TfLiteTensor* output = GetOutput(context, node, 0);
  Convolution conv = {};
  conv.height = AxisOf(in[1], window[1], output->dims->data[1], params.stride_height, params.dilation_height_factor);
  conv.width = AxisOf(in[2], window[2], output->dims->data[2], params.stride_width, params.dilation_width_factor);
  conv.channels = in[3];
  conv.filter = filter->data.int8;
  conv.filter_scales = ScalesOf(filter)->data;
  conv.bias = bias == nullptr ? nullptr : bias->data.f;
  CalculateActivationRange(params.activation, &conv.min, &conv.max);
  conv.output = output->data.f;
  return conv;
}

TfLiteStatus EvalWithSimd(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  TfLiteTensor* quantized;
  TF_LITE_ENSURE_OK(context, GetTemporarySafe(context, node, kQuantizedInput, &quantized));
  const int images = SizeOfDimension(input, 0);
  TF_LITE_ENSURE(context, images > 0);
  const int image_size = static_cast<int>(NumElements(input) / images);
  std::vector<AsymmetricScale> scales(images);
  for (int i = 0; i < images; ++i) {
    const size_t begin = static_cast<size_t>(i) * image_size;
    tensor_utils::AsymmetricQuantizeFloats(input->data.f + begin, image_size, quantized->data.int8 + begin,
                                           &scales[i].scale, &scales[i].zero_point);
  }
  Convolution conv = ConvolutionOf(context, node);
  conv.input = quantized->data.int8;
  conv.input_scales = scales.data();
  const int64_t rows = int64_t{images} * conv.height.output_size;
  ComputeOutputRows(rows,
                    int64_t{conv.width.output_size} * conv.channels * conv.height.filter_size * conv.width.filter_size,
                    CpuBackendContext::GetFromContext(context),
                    [&conv](int64_t begin, int64_t end) { ComputeRows(conv, begin, end); });
  return kTfLiteOk;
}

}  // namespace

// DEPTHWISE_CONV_2D of float32 activations, int8 weights, and at least 8 channels of one filter each: dynamic-range
// models, for which XNNPACK has no kernel. It computes native LiteRT's bits on x86, and calls EvalFloatDepthwiseConv().
TfLiteStatus EvalHybridDepthwiseConv(TfLiteContext* context, TfLiteNode* node) {
  return HasSimdKernel(context, node) ? EvalWithSimd(context, node) : EvalFloatDepthwiseConv(context, node);
}

}  // namespace tflite::webnn
