#include "runner/kernels/integer_conv_2d.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runner/kernels/integer_products.h"
#include "runner/kernels/integer_scales.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/kernels/padding.h"

namespace tflite::webnn {
namespace {

constexpr int kInput = 0;
constexpr int kFilter = 1;
constexpr int kBias = 2;
// How many elements of the input's patches are copied at once.
constexpr int kPatchesSize = 1 << 16;

const TfLiteRegistration& Conv2d() { return *ops::builtin::Register_CONV_2D(); }

const TfLiteConvParams& ParamsOf(TfLiteNode* node) { return *static_cast<const TfLiteConvParams*>(node->builtin_data); }

// Without groups: the input has the filter's depth.
bool HasSimdKernel(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  return input->type == kTfLiteInt16 && filter->type == kTfLiteInt8 &&
         GetInput(context, node, kBias)->type == kTfLiteInt64 &&
         SizeOfDimension(input, 3) == SizeOfDimension(filter, 3) && !IsDynamicTensor(output);
}

// The input's patches that make the outputs of one image, [filter height, filter width, depth] each.
class Patches {
 public:
  Patches(const TfLiteTensor* input, const TfLiteTensor* filter, const TfLiteTensor* output, const TfLiteConvParams& p)
      : params_(p),
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

  int size() const { return filter_height_ * filter_width_ * depth_; }

  void Copy(const int16_t* image, int output_index, int16_t* patch) const {
    const int top = output_index / output_width_ * params_.stride_height - padding_.height;
    const int left = output_index % output_width_ * params_.stride_width - padding_.width;
    for (int i = 0; i < filter_height_; ++i) {
      const int y = top + i * params_.dilation_height_factor;
      for (int j = 0; j < filter_width_; ++j, patch += depth_) {
        const int x = left + j * params_.dilation_width_factor;
        if (y < 0 || y >= height_ || x < 0 || x >= width_) {
          std::fill_n(patch, depth_, 0);
        } else {
          std::copy_n(image + (static_cast<size_t>(y) * width_ + x) * depth_, depth_, patch);
        }
      }
    }
  }

 private:
  const TfLiteConvParams& params_;
  int depth_, height_, width_, filter_height_, filter_width_, output_width_;
  TfLitePaddingValues padding_;
};

// How TFLite scales the output's channels.
struct Quantization {
  std::vector<int32_t> multipliers;
  std::vector<int> shifts;
  int32_t least, most;
};

TfLiteStatus QuantizationOf(TfLiteContext* context, TfLiteNode* node, int channels, Quantization* quantization) {
  quantization->multipliers.resize(channels);
  quantization->shifts.resize(channels);
  int32_t unused_multiplier;
  int unused_shift;
  return PopulateConvolutionQuantizationParams(
      context, GetInput(context, node, kInput), GetInput(context, node, kFilter), GetInput(context, node, kBias),
      GetOutput(context, node, 0), ParamsOf(node).activation, &unused_multiplier, &unused_shift, &quantization->least,
      &quantization->most, quantization->multipliers.data(), quantization->shifts.data(), channels);
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  if (!HasSimdKernel(context, node)) return Conv2d().invoke(context, node);
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const int channels = SizeOfDimension(filter, 0);
  Quantization quantization;
  TF_LITE_ENSURE_OK(context, QuantizationOf(context, node, channels, &quantization));
  const int64_t* bias = GetTensorData<int64_t>(GetInput(context, node, kBias));
  WideScales scales(channels, /*rounds_up=*/true);
  for (int i = 0; i < channels; ++i) {
    const bool is_regular =
        scales.SetBias(i, bias[i]) && scales.SetFactor(i, quantization.multipliers[i], quantization.shifts[i]);
    if (!is_regular) return Conv2d().invoke(context, node);
  }
  const Patches patches(input, filter, output, ParamsOf(node));
  IntegerColumns weights(channels, patches.size());
  weights.Fill(GetTensorData<int8_t>(filter), patches.size(), 1, 0);
  const int image_size = SizeOfDimension(input, 1) * SizeOfDimension(input, 2) * SizeOfDimension(input, 3);
  const int outputs = SizeOfDimension(output, 1) * SizeOfDimension(output, 2);
  const int block = std::min(outputs, std::max(kIntegerLanes, kPatchesSize / std::max(patches.size(), 1)));
  for (int batch = 0; batch < SizeOfDimension(output, 0); ++batch) {
    const int16_t* image = GetTensorData<int16_t>(input) + static_cast<size_t>(batch) * image_size;
    int16_t* result = GetTensorData<int16_t>(output) + static_cast<size_t>(batch) * outputs * channels;
    for (int begin = 0; begin < outputs; begin += block) {
      IntegerRows rows(std::min(block, outputs - begin), patches.size());
      for (int i = 0; i < rows.count(); ++i) patches.Copy(image, begin + i, rows.at(i));
      MultiplyRows(rows, weights, scales, quantization.least, quantization.most,
                   result + static_cast<size_t>(begin) * channels);
    }
  }
  return kTfLiteOk;
}

}  // namespace

const TfLiteRegistration* RegisterIntegerConv2d() {
  static const TfLiteRegistration registration = [] {
    TfLiteRegistration r = Conv2d();
    r.invoke = Eval;
    return r;
  }();
  return &registration;
}

}  // namespace tflite::webnn
