#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

const TfLiteTransposeConvParams* ParamsOf(const TfLiteNode* node) {
  if (node->custom_initial_data_size < static_cast<int>(offsetof(TfLiteTransposeConvParams, activation)))
    return nullptr;
  return static_cast<const TfLiteTransposeConvParams*>(node->custom_initial_data);
}

int64_t OutputSize(TfLitePadding padding, int64_t input_size, int filter_size, int stride) {
  return padding == kTfLitePaddingSame ? input_size * stride : (input_size - 1) * stride + filter_size;
}

// The size of the full result before the output.
int CutBefore(int64_t input_size, int filter_size, int stride, int output_size) {
  return static_cast<int>(std::max<int64_t>((input_size - 1) * stride + filter_size - output_size, 0) / 2);
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_EQ(context, NumInputs(node), 3);
  TF_LITE_ENSURE_EQ(context, NumOutputs(node), 1);
  const TfLiteTransposeConvParams* params = ParamsOf(node);
  TF_LITE_ENSURE(context, params != nullptr);
  TF_LITE_ENSURE(context, params->stride_height > 0 && params->stride_width > 0);
  const TfLiteTensor* input;
  const TfLiteTensor* filter;
  const TfLiteTensor* bias;
  TfLiteTensor* output;
  TF_LITE_ENSURE_OK(context, GetInputSafe(context, node, kInput, &input));
  TF_LITE_ENSURE_OK(context, GetInputSafe(context, node, kFilter, &filter));
  TF_LITE_ENSURE_OK(context, GetInputSafe(context, node, kBias, &bias));
  TF_LITE_ENSURE_OK(context, GetOutputSafe(context, node, 0, &output));
  TF_LITE_ENSURE_EQ(context, NumDimensions(input), 4);
  TF_LITE_ENSURE_EQ(context, NumDimensions(filter), 4);
  TF_LITE_ENSURE_EQ(context, SizeOfDimension(input, 3), SizeOfDimension(filter, 3));
  TF_LITE_ENSURE_EQ(context, NumElements(bias), SizeOfDimension(filter, 0));
  for (const TfLiteTensor* tensor : {input, filter, bias, static_cast<const TfLiteTensor*>(output)})
    TF_LITE_ENSURE_TYPES_EQ(context, tensor->type, kTfLiteFloat32);
  const int64_t height =
      OutputSize(params->padding, SizeOfDimension(input, 1), SizeOfDimension(filter, 1), params->stride_height);
  const int64_t width =
      OutputSize(params->padding, SizeOfDimension(input, 2), SizeOfDimension(filter, 2), params->stride_width);
  TF_LITE_ENSURE(context, height <= std::numeric_limits<int>::max() && width <= std::numeric_limits<int>::max());
  TfLiteIntArray* dims = TfLiteIntArrayCreate(4);
  dims->data[0] = SizeOfDimension(input, 0);
  dims->data[1] = static_cast<int>(height);
  dims->data[2] = static_cast<int>(width);
  dims->data[3] = SizeOfDimension(filter, 0);
  return context->ResizeTensor(context, output, dims);
}

// Adds one input pixel's contribution to the output pixels that its filter reaches.
void Scatter(const TfLiteTensor& filter, const float* pixel, int top, int left, int height, int width, float* image) {
  const int channels_out = filter.dims->data[0];
  const int filter_height = filter.dims->data[1];
  const int filter_width = filter.dims->data[2];
  const int channels_in = filter.dims->data[3];
  for (int co = 0; co < channels_out; ++co) {
    for (int fy = 0; fy < filter_height; ++fy) {
      for (int fx = 0; fx < filter_width; ++fx) {
        const int y = top + fy;
        const int x = left + fx;
        if (y < 0 || y >= height || x < 0 || x >= width) continue;
        const float* weights = filter.data.f + ((co * filter_height + fy) * filter_width + fx) * channels_in;
        float sum = 0;
        for (int ci = 0; ci < channels_in; ++ci) sum += pixel[ci] * weights[ci];
        image[(static_cast<size_t>(y) * width + x) * channels_out + co] += sum;
      }
    }
  }
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor& input = *GetInput(context, node, kInput);
  const TfLiteTensor& filter = *GetInput(context, node, kFilter);
  const TfLiteTensor& bias = *GetInput(context, node, kBias);
  TfLiteTensor& output = *GetOutput(context, node, 0);
  const TfLiteTransposeConvParams& params = *ParamsOf(node);
  const int* in = input.dims->data;
  const int* out = output.dims->data;
  const int cut_top = CutBefore(in[1], filter.dims->data[1], params.stride_height, out[1]);
  const int cut_left = CutBefore(in[2], filter.dims->data[2], params.stride_width, out[2]);
  for (int64_t i = 0; i < NumElements(&output); ++i) output.data.f[i] = bias.data.f[i % out[3]];
  for (int batch = 0; batch < in[0]; ++batch) {
    float* image = output.data.f + static_cast<size_t>(batch) * out[1] * out[2] * out[3];
    for (int y = 0; y < in[1]; ++y) {
      for (int x = 0; x < in[2]; ++x) {
        const float* pixel = input.data.f + ((static_cast<size_t>(batch) * in[1] + y) * in[2] + x) * in[3];
        Scatter(filter, pixel, y * params.stride_height - cut_top, x * params.stride_width - cut_left, out[1], out[2],
                image);
      }
    }
  }
  return kTfLiteOk;
}

}  // namespace

TfLiteRegistration* RegisterConvolution2DTransposeBias() {
  static TfLiteRegistration registration = [] {
    TfLiteRegistration r = {};
    r.prepare = Prepare;
    r.invoke = Eval;
    r.custom_name = kConvolution2DTransposeBiasName;
    r.version = 1;
    return r;
  }();
  return &registration;
}

}  // namespace tflite::webnn
