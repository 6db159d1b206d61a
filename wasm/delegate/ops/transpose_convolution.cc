#include <algorithm>
#include <cstring>
#include <vector>

#include "delegate/ops/families.h"
#include "delegate/ops/spatial.h"

namespace tflite::webnn {
namespace {

// Input indices of TRANSPOSE_CONV and MediaPipe's Convolution2DTransposeBias.
struct TransposeConvInputs {
  int input;
  int filter;
  int bias;  // optional
};

// Fits the full result, (input - 1) * stride + filter, to TFLite's output size along one axis:
// `padding` cuts off the excess, of VALID at the end; `output_padding` adds the remainder.
struct AxisFit {
  int begin;
  int end;
  int output_padding;
};

AxisFit FitAxis(int input_size, int filter_size, int stride, int output_size, TfLitePadding padding) {
  const int excess = Saturated((int64_t{input_size} - 1) * stride + filter_size - output_size);
  const int cut = std::max(excess, 0);
  const int begin = padding == kTfLitePaddingValid ? 0 : cut / 2;
  return {begin, cut - begin, std::max(-excess, 0)};
}

// Whether cutting `fit` off is what TFLite calls SAME, or nothing at all.
//
// Browsers recognize a scheme by the output's size, some only if that is a multiple of the input's.
bool IsPaddingScheme(const AxisFit& fit, int input_size, int filter_size, int stride, int output_size,
                     TfLitePadding scheme) {
  // Nor is SAME recognized where one axis is padded and the other has a filter smaller than its stride.
  if (scheme == kTfLitePaddingSame && filter_size < stride) return false;
  for (int size : {Saturated(int64_t{input_size} * stride), output_size}) {
    std::vector<int> padding;
    AppendPadding(scheme, size, {filter_size, stride}, &padding);
    if (padding[0] != fit.begin || padding[1] != fit.end) return false;
  }
  return true;
}

Operand EmitTransposeConv(const OpView& op, const TransposeConvInputs& inputs, const TfLiteTransposeConvParams& params,
                          GraphBuilder& builder) {
  const TensorView input_tensor = op.input(inputs.input);
  const TensorView filter_tensor = op.input(inputs.filter);
  const TensorView output_tensor = op.output(0);
  if (input_tensor.rank() != 4 || filter_tensor.rank() != 4 || output_tensor.rank() != 4)
    return builder.Reject("input, filter and output must have rank 4");
  const std::vector<int> expected = {input_tensor.dim(0), output_tensor.dim(1), output_tensor.dim(2),
                                     filter_tensor.dim(0)};
  if (output_tensor.shape() != expected || input_tensor.dim(3) != filter_tensor.dim(3)) {
    return builder.Reject("output " + ShapeText(output_tensor.shape()) + " does not fit the input " +
                          ShapeText(input_tensor.shape()) + " and the filter " + ShapeText(filter_tensor.shape()));
  }
  const auto fit = [&](int axis, int stride) {
    return FitAxis(input_tensor.dim(axis), filter_tensor.dim(axis), stride, output_tensor.dim(axis), params.padding);
  };
  const AxisFit height = fit(1, params.stride_height);
  const AxisFit width = fit(2, params.stride_width);
  if (height.output_padding >= params.stride_height || width.output_padding >= params.stride_width) {
    return builder.Reject(
        "output " + ShapeText(output_tensor.shape()) +
        " exceeds the full result by a stride or more; WebNN's outputPadding must be below the stride");
  }
  const auto is_scheme = [&](TfLitePadding scheme) {
    return IsPaddingScheme(height, input_tensor.dim(1), filter_tensor.dim(1), params.stride_height,
                           output_tensor.dim(1), scheme) &&
           IsPaddingScheme(width, input_tensor.dim(2), filter_tensor.dim(2), params.stride_width, output_tensor.dim(2),
                           scheme);
  };
  const bool is_padding = is_scheme(kTfLitePaddingSame) || is_scheme(kTfLitePaddingValid) ||
                          !builder.WorksAround(Workaround::kConvTransposePadding);
  const AxisFit rows = is_padding ? height : AxisFit{0, 0, height.output_padding};
  const AxisFit columns = is_padding ? width : AxisFit{0, 0, width.output_padding};
  std::vector<Option> options = {
      {"padding", std::vector<int>{rows.begin, rows.end, columns.begin, columns.end}},
      {"strides", std::vector<int>{params.stride_height, params.stride_width}},
      {"inputLayout", "nhwc"},
      {"filterLayout", "ohwi"},
  };
  if (height.output_padding > 0 || width.output_padding > 0) {
    options.push_back({"outputPadding", std::vector<int>{height.output_padding, width.output_padding}});
  }
  const Operand input = builder.Tensor(input_tensor);
  const Operand filter = builder.Tensor(filter_tensor);
  const Operand bias = builder.Bias(op, inputs.bias, input_tensor, filter_tensor, output_tensor.dim(3));
  if (bias.valid()) options.push_back({"bias", bias});
  std::vector<int> shape = output_tensor.shape();
  if (!is_padding) {
    shape[1] = Saturated(int64_t{shape[1]} + height.begin + height.end);
    shape[2] = Saturated(int64_t{shape[2]} + width.begin + width.end);
  }
  Operand output = builder.Emit({"convTranspose2d", {{"input", input}, {"filter", filter}}, {}, std::move(options)},
                                {builder.descriptor(input).data_type, shape});
  if (!is_padding) output = builder.Slice(output, {0, height.begin, width.begin, 0}, output_tensor.shape());
  return builder.OutputActivation(op, output, params.activation);
}

Operand LowerTransposeConv(const OpView& op, GraphBuilder& builder) {
  return EmitTransposeConv(op, {.input = 2, .filter = 1, .bias = 3}, op.params<TfLiteTransposeConvParams>(), builder);
}

// MediaPipe's custom op. Inputs: input, filter, bias. Its data is a TfLiteTransposeConvParams of version 1.
Operand LowerConvolution2DTransposeBias(const OpView& op, GraphBuilder& builder) {
  TfLiteTransposeConvParams params = {};
  const TfLiteNode& node = op.node();
  const size_t version1_size_bytes = offsetof(TfLiteTransposeConvParams, activation);
  if (node.custom_initial_data == nullptr || node.custom_initial_data_size < static_cast<int>(version1_size_bytes))
    return builder.Reject("the custom op carries no padding and strides");
  std::memcpy(&params, node.custom_initial_data, version1_size_bytes);
  return EmitTransposeConv(op, {.input = 0, .filter = 1, .bias = 2}, params, builder);
}

// Each pixel of the input meets the entire filter.
double ProductsPerElement(const OpView& op) {
  if (!op.HasRank(2, 4) || op.output(0).rank() != 4) return 0;
  const TensorView input = op.input(2);
  const double output_pixels = static_cast<double>(op.output(0).dim(1)) * op.output(0).dim(2);
  return output_pixels > 0 ? FilterProducts(op) * input.dim(1) * input.dim(2) / output_pixels : 0;
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinTransposeConv, LowerTransposeConv, kReal, "convTranspose2d",
     "outputs that exceed the full result by a stride", ProductsPerElement},
    {kTfLiteBuiltinCustom, LowerConvolution2DTransposeBias, kUnknown, "convTranspose2d", "", nullptr,
     "Convolution2DTransposeBias"},
};

}  // namespace

constinit const OpEntries kTransposeConvolutionOps = kEntries;

}  // namespace tflite::webnn
