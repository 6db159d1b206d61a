// The convolution from pixels to planes against scalar arithmetic in the same order, with weights packed by XNNPACK.
//
// Each array ends where the kernel may no longer read or write: AddressSanitizer guards its end.
#include "xnnpack_kernels/f32_conv_hwc2chw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "src/xnnpack/pack.h"
#include "tests/kernels/dot16x2_kinds.h"

namespace tflite::webnn::kernels {
namespace {

constexpr size_t kChannels = 3;
constexpr size_t kTaps = 3;  // in a row and in a column
constexpr xnn_f32_minmax_params kLimits = {{-1.f, 0.75f}};
constexpr float kUntouched = 77;

struct Size {
  size_t height;
  size_t width;
  size_t channels;  // of the output
  size_t padding_top;
};

// Checks the output rows from `first` on; those before it must keep their values.
void Check(const Size& size, size_t first) {
  std::mt19937 random(static_cast<uint32_t>(size.height + 64 * size.width + 4096 * size.channels));
  const auto make = [&](size_t count) { return MakeFloats(count, -1, 1, random); };
  const std::vector<float> input = make(size.height * size.width * kChannels);
  const std::vector<float> zero(size.width * kChannels);
  const std::vector<float> weights = make(size.channels * kTaps * kTaps * kChannels);
  const std::vector<float> biases = make(size.channels);
  std::vector<float> packed((size.channels + 3) / 4 * 4 * (1 + kTaps * kTaps * kChannels));
  xnn_pack_f32_dconv_oki_w(size.channels, kChannels, 4, kTaps, kTaps, weights.data(), biases.data(), packed.data(),
                           nullptr);

  const size_t height = (size.height + size.padding_top - 2) / 2 + 1;
  const size_t width = (size.width + 1) / 2;
  std::vector<float> out(size.channels * height * width, kUntouched);
  tflite_webnn_f32_conv_hwc2chw_ukernel_3x3s2p1c3x4__wasm(
      size.height, size.width, first, height, input.data(), zero.data(), packed.data(), out.data(), size.padding_top,
      size.channels, width * sizeof(float), height * width * sizeof(float), &kLimits);

  const auto value_at = [&](size_t y, size_t x, size_t channel) {  // those beyond the ends wrap
    return y < size.height && x < size.width ? input[(y * size.width + x) * kChannels + channel] : 0;
  };
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t x = i % width;
    const size_t y = i / width % height;
    const size_t channel = i / width / height;
    float expected = kUntouched;
    if (y >= first) {
      float sum = biases[channel];
      for (size_t kx = 0; kx < kTaps; ++kx) {
        for (size_t from = 0; from < kChannels; ++from) {
          for (size_t ky = 0; ky < kTaps; ++ky) {
            const float weight = weights[((channel * kTaps + ky) * kTaps + kx) * kChannels + from];
            sum = MultiplyAddOnce(value_at(2 * y + ky - size.padding_top, 2 * x + kx - 1, from), weight, sum);
          }
        }
      }
      expected = std::clamp(sum, kLimits.scalar.min, kLimits.scalar.max);
    }
    ASSERT_EQ(out[i], expected) << size.height << " x " << size.width << " to " << size.channels << ", padding "
                                << size.padding_top << ", from row " << first << ": " << channel << ", " << y << ", "
                                << x;
  }
}

TEST(F32ConvHwc2ChwTest, AllSmallSizes) {
  for (const size_t height : {1, 2, 3, 6, 7}) {
    for (size_t width = 1; width <= 37; ++width) {
      for (const size_t channels : {1, 2, 3, 4, 5, 8}) {
        for (const size_t padding_top : {0, 1}) {
          if (height + padding_top < 2) continue;
          for (const size_t first : {0, 1}) {
            if (2 * first + 1 < height) Check({height, width, channels, padding_top}, first);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tflite::webnn::kernels
