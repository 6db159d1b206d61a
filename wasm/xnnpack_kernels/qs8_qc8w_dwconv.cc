// Depthwise convolutions of int8 with a scale per channel.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "xnnpack_kernels/dot_product.h"
#include "xnnpack_kernels/dwconv.h"
#include "xnnpack_kernels/dwconv_tile.h"
#include "xnnpack_kernels/interleave.h"
#include "xnnpack_kernels/requantization.h"

namespace tflite::webnn::kernels {
namespace {

// Weights: 8 biases, 8 channels' taps in groups of Taps::kGroup, the last taps by themselves, 8 scales.
template <typename Taps>
class Qs8Dwconv {
 public:
  using Element = int8_t;

  Qs8Dwconv(const xnn_qs8_qc8w_conv_minmax_params& params, const Taps& taps)
      : rounding_(params.fp32_scalar.output_zero_point, params.fp32_scalar.output_min, params.fp32_scalar.output_max),
        taps_(taps) {}

  template <int kPixels>
  const uint8_t* Compute(const int8_t* const* taps, size_t count, size_t channel, size_t channels,
                         const uint8_t* packed, int8_t* output, size_t pixel_bytes) const {
    v128_t sums[kPixels][2];
    for (auto& sum : sums) {
      sum[0] = wasm_v128_load(packed);
      sum[1] = wasm_v128_load(packed + 16);
    }
    packed += kDwconvChannels * sizeof(int32_t);
#pragma clang loop unroll(disable)
    for (; count >= Taps::kGroup; count -= Taps::kGroup) {
      taps_.template Add<kPixels>(taps, channel, packed, sums);
      taps += Taps::kGroup * kPixels;
      packed += Taps::kGroup * kDwconvChannels;
    }
#pragma clang loop unroll(disable)
    for (; count != 0; --count) {
      const v128_t weights = wasm_i16x8_load8x8(packed);
#pragma clang loop unroll(full)
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        const v128_t products = wasm_i16x8_mul(wasm_i16x8_load8x8(taps[pixel] + channel), weights);
        sums[pixel][0] = wasm_i32x4_add(sums[pixel][0], wasm_i32x4_extend_low_i16x8(products));
        sums[pixel][1] = wasm_i32x4_add(sums[pixel][1], wasm_i32x4_extend_high_i16x8(products));
      }
      taps += kPixels;
      packed += kDwconvChannels;
    }
    const v128_t low_scales = wasm_v128_load(packed);
    const v128_t high_scales = wasm_v128_load(packed + 16);
#pragma clang loop unroll(full)
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      const v128_t low = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[pixel][0]), low_scales);
      const v128_t high = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[pixel][1]), high_scales);
      StoreBytes(rounding_.ToInt8(low, high), output + pixel * pixel_bytes, channels);
    }
    return packed + kDwconvChannels * sizeof(float);
  }

 private:
  const Rounding rounding_;
  const Taps taps_;
};

// Two taps at a time with i32x4.dot_i16x8, exact on every engine.
struct TapPairs {
  static constexpr size_t kGroup = 2;

  template <int kPixels>
  void Add(const int8_t* const* taps, size_t channel, const uint8_t* packed, v128_t (&sums)[kPixels][2]) const {
    const v128_t low_weights = wasm_i16x8_load8x8(packed);
    const v128_t high_weights = wasm_i16x8_load8x8(packed + 8);
#pragma clang loop unroll(full)
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      const v128_t first = wasm_i16x8_load8x8(taps[pixel] + channel);
      const v128_t second = wasm_i16x8_load8x8(taps[kPixels + pixel] + channel);
      const v128_t low = wasm_i32x4_dot_i16x8(InterleaveLow16(first, second), low_weights);
      const v128_t high = wasm_i32x4_dot_i16x8(InterleaveHigh16(first, second), high_weights);
      sums[pixel][0] = wasm_i32x4_add(sums[pixel][0], low);
      sums[pixel][1] = wasm_i32x4_add(sums[pixel][1], high);
    }
  }
};

#ifdef __wasm_relaxed_simd__
// Four taps at a time with relaxed SIMD's dot product, where XNNPACK accepted it. An unsigned one takes 128 more than
// each value; the biases make up for it.
struct TapQuads {
  static constexpr size_t kGroup = 4;

  explicit TapQuads(bool is_unsigned) : flip(SplatFromMemory(is_unsigned ? 0x80808080 : 0)) {}

  template <int kPixels>
  void Add(const int8_t* const* taps, size_t channel, const uint8_t* packed, v128_t (&sums)[kPixels][2]) const {
    const v128_t low_weights = wasm_v128_load(packed);
    const v128_t high_weights = wasm_v128_load(packed + 16);
#pragma clang loop unroll(full)
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      const auto load = [&](int tap) { return wasm_v128_load64_zero(taps[tap * kPixels + pixel] + channel); };
      const v128_t first = wasm_v128_xor(flip, InterleaveLow8(load(0), load(1)));
      const v128_t second = wasm_v128_xor(flip, InterleaveLow8(load(2), load(3)));
      const v128_t low = InterleaveLow16(first, second);
      const v128_t high = InterleaveHigh16(first, second);
      sums[pixel][0] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(low_weights, low, sums[pixel][0]);
      sums[pixel][1] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(high_weights, high, sums[pixel][1]);
    }
  }

  const v128_t flip;
};
#endif

void Compute(size_t taps, size_t channels, size_t width, const int8_t** input, const void* weights, int8_t* output,
             intptr_t input_stride, size_t output_increment, size_t input_offset, const int8_t* zero,
             const xnn_qs8_qc8w_conv_minmax_params& params) {
  const auto compute = [&](const auto& kernel) {
    Dwconv(kernel, taps, channels, width, input, weights, output, input_stride, output_increment, input_offset, zero);
  };
#ifdef __wasm_relaxed_simd__
  const DotProduct dot_product = AcceptedDotProduct();
  if (dot_product != DotProduct::kNone) {
    compute(Qs8Dwconv(params, TapQuads(dot_product == DotProduct::kUnsigned)));
    return;
  }
#endif
  compute(Qs8Dwconv(params, TapPairs()));
}

}  // namespace
}  // namespace tflite::webnn::kernels

extern "C" {

TFLITE_WEBNN_DEFINE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 3, int8_t, void, xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 9, int8_t, void, xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 25, int8_t, void, xnn_qs8_qc8w_conv_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(qs8_qc8w_dwconv_minmax_fp32, 49, int8_t, void, xnn_qs8_qc8w_conv_minmax_params)

}  // extern "C"
