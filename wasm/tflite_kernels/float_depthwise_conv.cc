#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "support/check.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/cpu_backend_context.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/convolution_axis.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

constexpr int kLanesOfVector = 4;
constexpr int kGroupVectors = 4;

// One run of a node.
struct Convolution {
  ConvolutionAxis height, width;
  int input_channels, channels, multiplier;
  const float *input, *filter, *bias;  // the bias may be null
  float min, max;
  float* output;
};

// The taps of an output pixel that are inside of the input.
struct Window {
  const float *input, *filter;  // at the first tap
  int rows, columns;
  ptrdiff_t input_row_step, input_column_step, filter_row_step, filter_column_step;
};

Window WindowAt(const Convolution& conv, int image, const Taps& rows, const Taps& columns) {
  const ptrdiff_t row = static_cast<ptrdiff_t>(conv.width.input_size) * conv.input_channels;
  const ptrdiff_t first_row = static_cast<ptrdiff_t>(image) * conv.height.input_size + rows.input_begin;
  const ptrdiff_t filter_row = static_cast<ptrdiff_t>(conv.width.filter_size) * conv.channels;
  return {.input = conv.input + first_row * row + static_cast<ptrdiff_t>(columns.input_begin) * conv.input_channels,
          .filter = conv.filter + rows.begin * filter_row + static_cast<ptrdiff_t>(columns.begin) * conv.channels,
          .rows = rows.count,
          .columns = columns.count,
          .input_row_step = conv.height.dilation * row,
          .input_column_step = static_cast<ptrdiff_t>(conv.width.dilation) * conv.input_channels,
          .filter_row_step = filter_row,
          .filter_column_step = conv.channels};
}

// Adds the products to the bias in the order of the taps, each rounded, as TFLite's kernels do. With a multiplier, one
// channel of the input serves all lanes of a vector.
template <int kVectors, bool kHasMultiplier>
void ComputeChannels(const Convolution& conv, const Window& window, int channel, float* pixel) {
  WEBNN_DCHECK(channel >= 0 && channel + kVectors * kLanesOfVector <= conv.channels);
  v128_t sums[kVectors];
  int offsets[kVectors];
  for (int i = 0; i < kVectors; ++i) {
    const int first = channel + i * kLanesOfVector;
    offsets[i] = kHasMultiplier ? first / conv.multiplier : first;
    sums[i] = conv.bias == nullptr ? wasm_f32x4_const_splat(0) : wasm_v128_load(conv.bias + first);
  }
  for (int y = 0; y < window.rows; ++y) {
    const float* input = window.input + y * window.input_row_step;
    const float* filter = window.filter + y * window.filter_row_step + channel;
    for (int x = 0; x < window.columns; ++x) {
      for (int i = 0; i < kVectors; ++i) {
        const float* values = input + offsets[i];
        const v128_t value = kHasMultiplier ? wasm_v128_load32_splat(values) : wasm_v128_load(values);
        const v128_t weight = wasm_v128_load(filter + i * kLanesOfVector);
        sums[i] = wasm_f32x4_add(sums[i], wasm_f32x4_mul(weight, value));
      }
      input += window.input_column_step;
      filter += window.filter_column_step;
    }
  }
  for (int i = 0; i < kVectors; ++i) {
    // These keep NaN.
    const v128_t limited = wasm_f32x4_pmin(sums[i], wasm_f32x4_splat(conv.max));
    wasm_v128_store(pixel + channel + i * kLanesOfVector, wasm_f32x4_pmax(limited, wasm_f32x4_splat(conv.min)));
  }
}

template <bool kHasMultiplier>
void ComputePixel(const Convolution& conv, const Window& window, float* pixel) {
  constexpr int kGroup = kGroupVectors * kLanesOfVector;
  int channel = 0;
  for (; channel + kGroup <= conv.channels; channel += kGroup) {
    ComputeChannels<kGroupVectors, kHasMultiplier>(conv, window, channel, pixel);
  }
  for (; channel + kLanesOfVector <= conv.channels; channel += kLanesOfVector) {
    ComputeChannels<1, kHasMultiplier>(conv, window, channel, pixel);
  }
  // The last vector overlaps the one before, to be a full one.
  if (channel < conv.channels) ComputeChannels<1, kHasMultiplier>(conv, window, conv.channels - kLanesOfVector, pixel);
}

// Computes output rows [begin, end), counted across all images.
void ComputeRows(const Convolution& conv, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const int image = static_cast<int>(row / conv.height.output_size);
    const Taps rows = TapsAt(static_cast<int>(row % conv.height.output_size), conv.height);
    float* pixel = conv.output + static_cast<ptrdiff_t>(row) * conv.width.output_size * conv.channels;
    for (int x = 0; x < conv.width.output_size; ++x, pixel += conv.channels) {
      const Window window = WindowAt(conv, image, rows, TapsAt(x, conv.width));
      conv.multiplier == 1 ? ComputePixel<false>(conv, window, pixel) : ComputePixel<true>(conv, window, pixel);
    }
  }
}

}  // namespace

// DEPTHWISE_CONV_2D of float32 with a filter that the run computes: XNNPACK accepts constant ones, and TFLite has SIMD
// on Arm and x86 only. It computes native LiteRT's bits on x86, and calls EvalIntegerDepthwiseConv2d().
TfLiteStatus EvalFloatDepthwiseConv(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* bias = NumInputs(node) == 3 ? GetInput(context, node, kBias) : nullptr;
  TfLiteTensor* output = GetOutput(context, node, 0);
  const auto& params = *static_cast<const TfLiteDepthwiseConvParams*>(node->builtin_data);
  const int *in = input->dims->data, *window = filter->dims->data, *out = output->dims->data;
  const int multiplier = window[3] / in[3];
  if (input->type != kTfLiteFloat32 || filter->type != kTfLiteFloat32 || window[3] < kLanesOfVector ||
      (multiplier != 1 && multiplier % kLanesOfVector != 0)) {
    return EvalIntegerDepthwiseConv2d(context, node);
  }
  Convolution conv = {
      .height = AxisOf(in[1], window[1], out[1], params.stride_height, params.dilation_height_factor),
      .width = AxisOf(in[2], window[2], out[2], params.stride_width, params.dilation_width_factor),
      .input_channels = in[3],
      .channels = window[3],
      .multiplier = multiplier,
      .input = input->data.f,
      .filter = filter->data.f,
      .bias = bias == nullptr ? nullptr : bias->data.f,
      .min = 0,
      .max = 0,
      .output = output->data.f,
  };
  CalculateActivationRange(params.activation, &conv.min, &conv.max);
  ComputeOutputRows(int64_t{out[0]} * out[1], int64_t{out[2]} * out[3] * window[1] * window[2],
                    CpuBackendContext::GetFromContext(context),
                    [&conv](int64_t begin, int64_t end) { ComputeRows(conv, begin, end); });
  return kTfLiteOk;
}

}  // namespace tflite::webnn
