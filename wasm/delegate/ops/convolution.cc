#include <algorithm>
#include <vector>

#include "delegate/ops/families.h"
#include "delegate/ops/spatial.h"

// TFLite stores NHWC inputs and OHWI filters, and WebNN accepts both layouts.
namespace tflite::webnn {
namespace {

// How the filter moves over the input.
struct Windows {
  Window height;
  Window width;
  TfLitePadding padding;
};

template <typename Params>
Windows WindowsOf(const OpView& op, const Params& params) {
  const TensorView filter = op.input(1);
  return {{filter.dim(1), params.stride_height, params.dilation_height_factor},
          {filter.dim(2), params.stride_width, params.dilation_width_factor},
          params.padding};
}

std::vector<Option> Conv2dOptions(const OpView& op, const Windows& windows) {
  const auto& [height, width, padding] = windows;
  return {{"padding", Padding2d(padding, op.input(0), height, width)},
          {"strides", std::vector<int>{height.stride, width.stride}},
          {"dilations", std::vector<int>{height.dilation, width.dilation}},
          {"inputLayout", "nhwc"}};
}

// The number of rows or columns that windows of SAME padding read.
int ReadSize(int input_size, const Window& window) {
  if (input_size < 1 || window.size < 1 || window.stride < 1 || window.dilation < 1) return input_size;
  return static_cast<int>(std::min<int64_t>(input_size, SameExtent(input_size, window)));
}

// The input without the rows and columns at its end that no window reads, if the other axis is padded.
Operand ReadInput(const OpView& op, const Windows& windows, GraphBuilder& builder) {
  const Operand input = builder.Tensor(op.input(0));
  if (windows.padding != kTfLitePaddingSame) return input;
  const std::vector<int> shape = op.input(0).shape();
  const int rows = ReadSize(shape[1], windows.height);
  const int columns = ReadSize(shape[2], windows.width);
  const std::vector<int> padding = Padding2d(windows.padding, op.input(0), windows.height, windows.width);
  const bool has_padding = std::any_of(padding.begin(), padding.end(), [](int zeros) { return zeros > 0; });
  if (!has_padding || (rows == shape[1] && columns == shape[2])) return input;
  if (!builder.WorksAround(Workaround::kConv2dLeftoverInput)) return input;
  return builder.Slice(input, {0, 0, 0, 0}, {shape[0], rows, columns, shape[3]});
}

// False after a rejection.
template <typename Params>
bool CheckWindows(const OpView& op, const Params& params, GraphBuilder& builder) {
  if (op.input(0).rank() != 4 || op.input(1).rank() != 4 || op.output(0).rank() != 4) {
    builder.Reject("input, filter and output must have rank 4");
  }
  if (std::min({params.stride_height, params.stride_width, params.dilation_height_factor,
                params.dilation_width_factor}) < 1) {
    builder.Reject("strides and dilations must be 1 or more");
  }
  return !builder.rejected();
}

Operand EmitConv2d(const OpView& op, Operand input, Operand filter, std::vector<Option> options,
                   TfLiteFusedActivation activation, GraphBuilder& builder) {
  const Operand bias = builder.Bias(op, 2, op.input(0), op.input(1), op.output(0).dim(-1));
  if (bias.valid()) options.push_back({"bias", bias});
  const Operand output = builder.Emit({"conv2d", {{"input", input}, {"filter", filter}}, {}, std::move(options)},
                                      {builder.descriptor(input).data_type, op.output(0).shape()});
  return builder.OutputActivation(op, output, activation);
}

Operand TransposedFilter(const TensorView& filter, const std::vector<int>& permutation, GraphBuilder& builder) {
  if (filter.IsConstant()) return builder.TransposedConstant(filter, permutation);
  return builder.Transpose(builder.Tensor(filter), permutation);
}

Operand LowerConv2d(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteConvParams>();
  if (!CheckWindows(op, params, builder)) return Operand();
  const int input_channels = op.input(0).dim(3);
  const int filter_channels = op.input(1).dim(3);
  if (filter_channels == 0 || input_channels % filter_channels != 0)
    return builder.Reject("the input's channels are not a multiple of the filter's");
  const Windows windows = WindowsOf(op, params);
  std::vector<Option> options = Conv2dOptions(op, windows);
  options.push_back({"groups", input_channels / filter_channels});
  // A filter for each channel, [channels, height, width, 1].
  const bool is_depthwise = filter_channels == 1 && input_channels > 1 && op.input(1).dim(0) == input_channels;
  const bool as_ihwo = is_depthwise && builder.WorksAround(Workaround::kConv2dDepthwiseFilter);
  options.push_back({"filterLayout", as_ihwo ? "ihwo" : "ohwi"});
  const Operand input = ReadInput(op, windows, builder);
  const Operand filter = as_ihwo ? TransposedFilter(op.input(1), {3, 1, 2, 0}, builder) : builder.Tensor(op.input(1));
  return EmitConv2d(op, input, filter, std::move(options), params.activation, builder);
}

Operand LowerDepthwiseConv2d(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteDepthwiseConvParams>();
  if (!CheckWindows(op, params, builder)) return Operand();
  const int input_channels = op.input(0).dim(3);
  // [1, height, width, channels * multiplier] is "ihwo". Engines treat that as depthwise only without a multiplier.
  // With one channel, "groups" makes no difference, and "ihwo" and "ohwi" are the same bytes.
  const bool has_multiplier = op.input(1).dim(3) != input_channels;
  const bool as_ohwi = has_multiplier || input_channels == 1;
  const Windows windows = WindowsOf(op, params);
  std::vector<Option> options = Conv2dOptions(op, windows);
  options.push_back({"groups", input_channels});
  options.push_back({"filterLayout", as_ohwi ? "ohwi" : "ihwo"});
  const Operand filter =
      has_multiplier ? TransposedFilter(op.input(1), {3, 1, 2, 0}, builder) : builder.Tensor(op.input(1));
  return EmitConv2d(op, ReadInput(op, windows, builder), filter, std::move(options), params.activation, builder);
}

double DepthwiseProductsPerElement(const OpView& op) {
  return op.HasRank(1, 4) ? op.input(1).dim(1) * op.input(1).dim(2) : 0;
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinConv2d, LowerConv2d, kReal, "conv2d", "", FilterProducts},
    {kTfLiteBuiltinDepthwiseConv2d, LowerDepthwiseConv2d, kReal, "conv2d", "", DepthwiseProductsPerElement},
};

}  // namespace

constinit const OpEntries kConvolutionOps = kEntries;

}  // namespace tflite::webnn
