// The depthwise kernels of wasm/xnnpack_kernels against scalar arithmetic, with weights packed as XNNPACK's operators
// do it.
//
// Inputs have XNN_EXTRA_BYTES behind them, which the kernels may read; outputs end where the kernels must stop.
#include "xnnpack_kernels/dwconv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <ostream>
#include <random>
#include <type_traits>
#include <vector>

#include "include/xnnpack.h"
#include "tests/kernels/dot16x2_kinds.h"
#include "xnnpack_kernels/dwconv_tile.h"

namespace tflite::webnn::kernels {
namespace {

struct DwconvShape {
  size_t taps;  // of the kernel
  size_t filter_taps;
  size_t channels;
  size_t width;
  Fill fill;
};

std::ostream& operator<<(std::ostream& stream, const DwconvShape& shape) {
  return stream << shape.filter_taps << " of " << shape.taps << " taps, " << shape.channels << " channels, "
                << shape.width << " pixels, fill " << static_cast<int>(shape.fill);
}

constexpr size_t kOffsetElements = 7;  // from the pointers to the values

// The pointers to the taps of all pixels, and what they lead to. Pixels overlap by half of their taps.
template <typename Element>
class Pixels {
 public:
  Pixels(const DwconvShape& shape, std::mt19937& random)
      : step_((shape.taps + 1) / 2), padding_(Make(shape.channels, shape.fill, random)) {
    for (size_t i = 0; i < (shape.width - 1) * step_ + shape.taps; ++i) {
      if (random() % 4 == 0) {
        pointers_.push_back(padding_.get());
      } else {
        blocks_.push_back(Make(kOffsetElements + shape.channels, shape.fill, random));
        pointers_.push_back(blocks_.back().get());
      }
    }
  }

  Element At(size_t pixel, size_t tap, size_t channel) const {
    const Element* pointer = pointers_[pixel * step_ + tap];
    return pointer == padding_.get() ? pointer[channel] : pointer[kOffsetElements + channel];
  }
  const Element** pointers() { return pointers_.data(); }
  intptr_t stride() const { return static_cast<intptr_t>(step_ * sizeof(void*)); }
  const Element* padding() const { return padding_.get(); }

 private:
  static std::unique_ptr<Element[]> Make(size_t size, Fill fill, std::mt19937& random) {
    size += XNN_EXTRA_BYTES / sizeof(Element);
    if constexpr (std::is_same_v<Element, float>) {
      std::unique_ptr<float[]> array(new float[size]);
      std::ranges::copy(MakeFloats(size, -2, 2, random), array.get());
      return array;
    } else {
      return MakeArray<Element>(size, fill, random);
    }
  }

  const size_t step_;
  std::unique_ptr<Element[]> padding_;
  std::vector<std::unique_ptr<Element[]>> blocks_;
  std::vector<const Element*> pointers_;
};

// A kind of kernels: Element, Weight, what packs its weights, the kernel, and what it must return.
struct Qs8Dw {
  using Element = int8_t;
  static constexpr size_t kExtraBytes = sizeof(float);
  static constexpr int kInputZeroPoint = 5;

  explicit Qs8Dw(const DwconvShape& shape, std::mt19937& random)
      : weights(MakeArray<int8_t>(shape.filter_taps * shape.channels, shape.fill, random)),
        scales(MakeFloats(shape.channels, 0.01f, 0.02f, random)) {
    xnn_init_qs8_qc8w_conv_minmax_fp32_scalar_params(&params, kZeroPoint, kMin, kMax);
  }
  void Pack(const DwconvShape& shape, const std::vector<int32_t>& biases, uint8_t* packed) const {
    const xnn_qs8_packing_params packing{kInputZeroPoint};
    tflite_webnn_pack_qs8_dwconv_hwg_w(shape.taps, 1, shape.filter_taps, shape.channels, kDwconvChannels, weights.get(),
                                       biases.data(), nullptr, packed, kDwconvChannels * kExtraBytes, &packing);
    const size_t weights_end = kDwconvChannels * (sizeof(int32_t) + shape.taps);
    xnn_init_qs8_qc8w_scale_fp32_params(shape.channels, kDwconvChannels, weights_end + kDwconvChannels * kExtraBytes,
                                        scales.data(), packed + weights_end);
  }
  int32_t Product(int8_t value, size_t tap, size_t channel, size_t channels) const {
    return (value - kInputZeroPoint) * weights[tap * channels + channel];
  }
  int8_t Expected(int32_t sum, size_t channel) const {
    return Round<int8_t>(static_cast<float>(sum) * scales[channel], kZeroPoint, kMin, kMax);
  }
  template <typename... Arguments>
  void Run(size_t taps, Arguments... arguments) const {
    (taps == 3    ? tflite_webnn_qs8_qc8w_dwconv_minmax_fp32_ukernel_3p8c__wasm
     : taps == 9  ? tflite_webnn_qs8_qc8w_dwconv_minmax_fp32_ukernel_9p8c__wasm
     : taps == 25 ? tflite_webnn_qs8_qc8w_dwconv_minmax_fp32_ukernel_25p8c__wasm
                  : tflite_webnn_qs8_qc8w_dwconv_minmax_fp32_ukernel_49p8c__wasm)(arguments..., &params);
  }

  std::unique_ptr<int8_t[]> weights;
  std::vector<float> scales;
  xnn_qs8_qc8w_conv_minmax_params params;
};

struct Qu8Dw {
  using Element = uint8_t;
  static constexpr size_t kExtraBytes = 0;
  static constexpr int kInputZeroPoint = 133;
  static constexpr int kWeightZeroPoint = 119;
  static constexpr float kScale = 0.015f;

  explicit Qu8Dw(const DwconvShape& shape, std::mt19937& random)
      : weights(MakeArray<uint8_t>(shape.filter_taps * shape.channels, shape.fill, random)) {
    xnn_init_qu8_conv_minmax_fp32_scalar_params(&params, kWeightZeroPoint, kScale, kZeroPoint + 128, kMin + 128,
                                                kMax + 128);
  }
  void Pack(const DwconvShape& shape, const std::vector<int32_t>& biases, uint8_t* packed) const {
    const xnn_qu8_packing_params packing{kInputZeroPoint, kWeightZeroPoint};
    tflite_webnn_pack_qu8_dwconv_hwg_w(shape.taps, 1, shape.filter_taps, shape.channels, kDwconvChannels, weights.get(),
                                       biases.data(), nullptr, packed, 0, &packing);
  }
  int32_t Product(uint8_t value, size_t tap, size_t channel, size_t channels) const {
    return (value - kInputZeroPoint) * (weights[tap * channels + channel] - kWeightZeroPoint);
  }
  uint8_t Expected(int32_t sum, size_t) const {
    return Round<uint8_t>(static_cast<float>(sum) * kScale, kZeroPoint + 128, kMin + 128, kMax + 128);
  }
  template <typename... Arguments>
  void Run(size_t taps, Arguments... arguments) const {
    (taps == 9    ? tflite_webnn_qu8_dwconv_minmax_fp32_ukernel_9p8c__wasm
     : taps == 25 ? tflite_webnn_qu8_dwconv_minmax_fp32_ukernel_25p8c__wasm
                  : tflite_webnn_qu8_dwconv_minmax_fp32_ukernel_49p8c__wasm)(arguments..., &params);
  }

  std::unique_ptr<uint8_t[]> weights;
  xnn_qu8_conv_minmax_params params;
};

// Outputs of one call, with elements between the pixels that must keep their value.
template <typename Kind, typename Packed>
std::unique_ptr<typename Kind::Element[]> Run(const Kind& kind, const DwconvShape& shape,
                                              Pixels<typename Kind::Element>& pixels, const Packed* packed,
                                              typename Kind::Element untouched) {
  using Element = typename Kind::Element;
  const size_t size = shape.width * (shape.channels + 3) - 3;
  std::unique_ptr<Element[]> out(new Element[size]);
  std::fill_n(out.get(), size, untouched);
  kind.Run(shape.taps, shape.channels, shape.width, pixels.pointers(), packed, out.get(), pixels.stride(),
           3 * sizeof(Element), kOffsetElements * sizeof(Element), size_t{0}, pixels.padding());
  return out;
}

size_t Blocks(const DwconvShape& shape) { return (shape.channels + kDwconvChannels - 1) / kDwconvChannels; }

template <typename Kind>
void CheckIntegers(const DwconvShape& shape) {
  using Element = typename Kind::Element;
  std::mt19937 random(static_cast<uint32_t>(shape.taps + 32 * shape.channels + 2048 * shape.width));
  const Kind kind(shape, random);
  std::vector<int32_t> biases(shape.channels);
  for (int32_t& bias : biases) bias = std::uniform_int_distribution<int32_t>(-2000, 2000)(random);
  std::vector<uint8_t> packed(Blocks(shape) * kDwconvChannels * (sizeof(int32_t) + shape.taps + Kind::kExtraBytes));
  kind.Pack(shape, biases, packed.data());
  Pixels<Element> pixels(shape, random);
  constexpr Element kUntouched = 77;
  const auto out = Run(kind, shape, pixels, packed.data(), kUntouched);

  const size_t stride = shape.channels + 3;
  for (size_t pixel = 0; pixel < shape.width; ++pixel) {
    for (size_t channel = 0; channel < (pixel + 1 == shape.width ? shape.channels : stride); ++channel) {
      Element expected = kUntouched;
      if (channel < shape.channels) {
        int32_t sum = biases[channel];
        for (size_t tap = 0; tap < shape.filter_taps; ++tap) {
          sum += kind.Product(pixels.At(pixel, tap, channel), tap, channel, shape.channels);
        }
        expected = kind.Expected(sum, channel);
      }
      ASSERT_EQ(out[pixel * stride + channel], expected) << shape << ": pixel " << pixel << ", channel " << channel;
    }
  }
}

struct F32Dw {
  using Element = float;

  explicit F32Dw(float min, float max) { xnn_init_f32_minmax_scalar_params(&params, min, max); }
  template <typename... Arguments>
  void Run(size_t taps, Arguments... arguments) const {
    (taps == 3    ? tflite_webnn_f32_dwconv_minmax_ukernel_3p8c__wasm
     : taps == 4  ? tflite_webnn_f32_dwconv_minmax_ukernel_4p8c__wasm
     : taps == 9  ? tflite_webnn_f32_dwconv_minmax_ukernel_9p8c__wasm
     : taps == 25 ? tflite_webnn_f32_dwconv_minmax_ukernel_25p8c__wasm
                  : tflite_webnn_f32_dwconv_minmax_ukernel_49p8c__wasm)(arguments..., &params);
  }

  xnn_f32_minmax_params params;
};

// Whether relaxed SIMD's multiply-add rounds once, which the engine decides; without it the kernel rounds twice.
bool IsFused() {
#ifdef __wasm_relaxed_simd__
  const volatile float value = 1 + 0x1p-23f;
  const v128_t splat = wasm_f32x4_splat(value);
  const v128_t minus = wasm_f32x4_splat(-value * value);
  return wasm_f32x4_extract_lane(wasm_f32x4_relaxed_madd(splat, splat, minus), 0) != 0;
#else
  return false;
#endif
}

void CheckFloats(const DwconvShape& shape) {
  std::mt19937 random(static_cast<uint32_t>(shape.taps + 32 * shape.channels + 2048 * shape.width));
  const auto weights = MakeFloats(shape.filter_taps * shape.channels, -1, 1, random);
  const auto biases = MakeFloats(shape.channels, -1, 1, random);
  std::vector<float> packed(Blocks(shape) * kDwconvChannels * (1 + shape.taps));
  xnn_pack_f32_dwconv_hwg_w(shape.taps, 1, shape.filter_taps, shape.channels, kDwconvChannels, weights.data(),
                            biases.data(), nullptr, packed.data(), 0, nullptr);
  Pixels<float> pixels(shape, random);
  const float max = shape.fill == Fill::kRandom ? std::numeric_limits<float>::infinity() : 1.5f;
  constexpr float kUntouched = 77;
  const F32Dw kind(-max, max);
  const auto out = Run(kind, shape, pixels, packed.data(), kUntouched);

  const size_t stride = shape.channels + 3;
  for (size_t pixel = 0; pixel < shape.width; ++pixel) {
    for (size_t channel = 0; channel < (pixel + 1 == shape.width ? shape.channels : stride); ++channel) {
      float expected = kUntouched;
      if (channel < shape.channels) {
        expected = biases[channel];
        for (size_t tap = 0; tap < shape.filter_taps; ++tap) {
          const float value = pixels.At(pixel, tap, channel);
          const float weight = weights[tap * shape.channels + channel];
          const volatile float product = value * weight;
          expected = IsFused() ? std::fma(value, weight, expected) : expected + product;
        }
        expected = std::clamp(expected, -max, max);
      }
      ASSERT_EQ(out[pixel * stride + channel], expected) << shape << ": pixel " << pixel << ", channel " << channel;
    }
  }
}

template <typename Check>
void ForAllSmallShapes(std::initializer_list<size_t> all_taps, Check check) {
  for (const size_t taps : all_taps) {
    for (const size_t filter_taps : {taps, taps - 1}) {
      for (size_t channels = 1; channels <= 25; ++channels) {
        for (size_t width = 1; width <= 9; ++width) {
          for (const Fill fill : {Fill::kRandom, Fill::kLowest, Fill::kExtremes}) {
            check(DwconvShape{taps, filter_taps, channels, width, fill});
            if (testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(DwconvTest, Int8) { ForAllSmallShapes({3, 9, 25, 49}, CheckIntegers<Qs8Dw>); }
TEST(DwconvTest, Uint8) { ForAllSmallShapes({9, 25, 49}, CheckIntegers<Qu8Dw>); }
TEST(DwconvTest, Float32) { ForAllSmallShapes({3, 4, 9, 25, 49}, CheckFloats); }

}  // namespace
}  // namespace tflite::webnn::kernels
