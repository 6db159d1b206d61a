#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/convolution_axis.h"
#include "tflite_kernels/custom_kernels.h"
#include "third_party/compat/include/matrix_products.h"

namespace tflite::ops::builtin {

// No header of TFLite declares it.
TfLiteRegistration* Register_CONV_3D_REF();

}  // namespace tflite::ops::builtin

namespace tflite::webnn {
namespace {

// Floats of the input's patches that are multiplied together.
constexpr int kPatchesSize = 1 << 18;
// A product puts the filter in another order, which takes as long as to multiply a few patches.
constexpr int kMinPatches = 16;

// One run of a node.
struct Convolution3d {
  ConvolutionAxis depth, height, width;
  int channels;
  const float* input;

  int taps() const { return depth.filter_size * height.filter_size * width.filter_size; }
  int patch_size() const { return taps() * channels; }
  bool is_pointwise() const { return taps() == 1 && depth.stride == 1 && height.stride == 1 && width.stride == 1; }
};

// Without a call for few floats.
__attribute__((no_builtin("memcpy"))) void Copy(const float* from, int count, float* to) {
  int i = 0;
  for (; i + 4 <= count; i += 4) wasm_v128_store(to + i, wasm_v128_load(from + i));
  for (; i < count; ++i) to[i] = from[i];
}

// The part of the input under the filter at an output pixel: [depth, height, width, channels], with zeros outside.
void FillPatch(const Convolution3d& conv, const float* image, const Taps& depths, const Taps& rows, const Taps& columns,
               float* patch) {
  const int channels = conv.channels;
  if (depths.count * rows.count * columns.count < conv.taps()) std::fill_n(patch, conv.patch_size(), 0.0f);
  for (int z = 0; z < depths.count; ++z) {
    for (int y = 0; y < rows.count; ++y) {
      const ptrdiff_t plane = depths.input_begin + z * conv.depth.dilation;
      const ptrdiff_t row = plane * conv.height.input_size + rows.input_begin + y * conv.height.dilation;
      const float* from = image + (row * conv.width.input_size + columns.input_begin) * channels;
      const int tap = ((depths.begin + z) * conv.height.filter_size + rows.begin + y) * conv.width.filter_size;
      float* to = patch + (tap + columns.begin) * channels;
      if (conv.width.dilation == 1) {
        Copy(from, columns.count * channels, to);
        continue;
      }
      for (int x = 0; x < columns.count; ++x, to += channels) {
        Copy(from + static_cast<ptrdiff_t>(x) * conv.width.dilation * channels, channels, to);
      }
    }
  }
}

// Multiplies the patches of some output pixels at a time.
void Convolve(const Convolution3d& conv, int images, FloatProduct product, const float* filter, float* output) {
  const int64_t pixels = int64_t{images} * conv.depth.output_size * conv.height.output_size * conv.width.output_size;
  const int patch_size = conv.patch_size();
  const int block = static_cast<int>(std::min<int64_t>(pixels, std::max(kMinPatches, kPatchesSize / patch_size)));
  const ptrdiff_t image_size =
      static_cast<ptrdiff_t>(conv.depth.input_size) * conv.height.input_size * conv.width.input_size * conv.channels;
  std::vector<float> patches(static_cast<size_t>(block) * patch_size);
  int64_t pixel = 0;
  int count = 0;
  const auto multiply = [&] {
    product.columns = count;
    Multiply(product, filter, patches.data(), output + (pixel - count) * product.rows);
    count = 0;
  };
  for (int image = 0; image < images; ++image) {
    for (int z = 0; z < conv.depth.output_size; ++z) {
      const Taps depths = TapsAt(z, conv.depth);
      for (int y = 0; y < conv.height.output_size; ++y) {
        const Taps rows = TapsAt(y, conv.height);
        for (int x = 0; x < conv.width.output_size; ++x) {
          FillPatch(conv, conv.input + image * image_size, depths, rows, TapsAt(x, conv.width),
                    patches.data() + static_cast<size_t>(count) * patch_size);
          ++pixel;
          if (++count == block) multiply();
        }
      }
    }
  }
  if (count > 0) multiply();
}

}  // namespace

// CONV_3D: TFLite's optimized kernel copies the patches of all pixels, and of a dilated convolution wrong ones
// (DilatedIm2col3D in im2col_utils.h). The reference kernel's Prepare() makes no tensor for them.
TfLiteStatus PrepareConv3d(TfLiteContext* context, TfLiteNode* node) {
  return ops::builtin::Register_CONV_3D_REF()->prepare(context, node);
}

TfLiteStatus EvalConv3d(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, kInput);
  const TfLiteTensor* filter = GetInput(context, node, kFilter);
  const TfLiteTensor* bias = GetOptionalInputTensor(context, node, kBias);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const auto& params = *static_cast<const TfLiteConv3DParams*>(node->builtin_data);
  const int *in = input->dims->data, *window = filter->dims->data, *out = output->dims->data;
  const Convolution3d conv = {
      .depth = AxisOf(in[1], window[0], out[1], params.stride_depth, params.dilation_depth_factor),
      .height = AxisOf(in[2], window[1], out[2], params.stride_height, params.dilation_height_factor),
      .width = AxisOf(in[3], window[2], out[3], params.stride_width, params.dilation_width_factor),
      .channels = in[4],
      .input = input->data.f,
  };
  FloatProduct product = {.rows = out[4],
                          .depth = conv.patch_size(),
                          .columns = static_cast<int>(NumElements(output) / std::max(out[4], 1)),
                          .is_lhs_transposed = true,
                          .bias = bias == nullptr ? nullptr : bias->data.f,
                          .min = 0,
                          .max = 0};
  CalculateActivationRange(params.activation, &product.min, &product.max);
  if (product.rows == 0 || product.columns == 0) return kTfLiteOk;
  if (product.depth == 0) return ops::builtin::Register_CONV_3D_REF()->invoke(context, node);
  if (conv.is_pointwise()) {
    Multiply(product, filter->data.f, conv.input, output->data.f);
  } else {
    Convolve(conv, out[0], product, filter->data.f, output->data.f);
  }
  return kTfLiteOk;
}

}  // namespace tflite::webnn
