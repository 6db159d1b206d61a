// Depthwise convolutions of uint8, with one scale for all channels.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "xnnpack_kernels/dwconv.h"
#include "xnnpack_kernels/dwconv_tile.h"
#include "xnnpack_kernels/interleave.h"
#include "xnnpack_kernels/requantization.h"

namespace tflite::webnn::kernels {
namespace {

// Weights: 8 biases, 8 channels' taps in pairs, the last tap by itself.
class Qu8Dwconv {
 public:
  using Element = uint8_t;

  explicit Qu8Dwconv(const xnn_qu8_conv_minmax_params& params)
      : rounding_(params.fp32_scalar.output_zero_point, params.fp32_scalar.output_min, params.fp32_scalar.output_max),
        scale_(wasm_f32x4_splat(params.fp32_scalar.scale)),
        zero_point_(wasm_i16x8_splat(static_cast<int16_t>(params.fp32_scalar.kernel_zero_point))) {}

  template <int kPixels>
  const uint8_t* Compute(const uint8_t* const* taps, size_t count, size_t channel, size_t channels,
                         const uint8_t* packed, uint8_t* output, size_t pixel_bytes) const {
    v128_t sums[kPixels][2];
    for (auto& sum : sums) {
      sum[0] = wasm_v128_load(packed);
      sum[1] = wasm_v128_load(packed + 16);
    }
    packed += kDwconvChannels * sizeof(int32_t);
#pragma clang loop unroll(disable)
    for (; count >= 2; count -= 2) {
      const v128_t low_weights = Weights(packed);
      const v128_t high_weights = Weights(packed + 8);
#pragma clang loop unroll(full)
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        const v128_t first = wasm_u16x8_load8x8(taps[pixel] + channel);
        const v128_t second = wasm_u16x8_load8x8(taps[kPixels + pixel] + channel);
        AddProducts(first, second, low_weights, high_weights, sums[pixel]);
      }
      taps += 2 * kPixels;
      packed += 2 * kDwconvChannels;
    }
    if (count != 0) {
      const v128_t zero = wasm_i16x8_const_splat(0);
      const v128_t weights = Weights(packed);
      const v128_t low_weights = InterleaveLow16(weights, zero);
      const v128_t high_weights = InterleaveHigh16(weights, zero);
#pragma clang loop unroll(full)
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        AddProducts(wasm_u16x8_load8x8(taps[pixel] + channel), zero, low_weights, high_weights, sums[pixel]);
      }
      packed += kDwconvChannels;
    }
#pragma clang loop unroll(full)
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      const v128_t low = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[pixel][0]), scale_);
      const v128_t high = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[pixel][1]), scale_);
      StoreBytes(rounding_.ToUint8(low, high), output + pixel * pixel_bytes, channels);
    }
    return packed;
  }

 private:
  v128_t Weights(const uint8_t* packed) const { return wasm_i16x8_sub(wasm_u16x8_load8x8(packed), zero_point_); }

  static void AddProducts(v128_t first, v128_t second, v128_t low_weights, v128_t high_weights, v128_t (&sums)[2]) {
    sums[0] = wasm_i32x4_add(sums[0], wasm_i32x4_dot_i16x8(InterleaveLow16(first, second), low_weights));
    sums[1] = wasm_i32x4_add(sums[1], wasm_i32x4_dot_i16x8(InterleaveHigh16(first, second), high_weights));
  }

  const Rounding rounding_;
  const v128_t scale_;
  const v128_t zero_point_;
};

void Compute(size_t taps, size_t channels, size_t width, const uint8_t** input, const void* weights, uint8_t* output,
             intptr_t input_stride, size_t output_increment, size_t input_offset, const uint8_t* zero,
             const xnn_qu8_conv_minmax_params& params) {
  Dwconv(Qu8Dwconv(params), taps, channels, width, input, weights, output, input_stride, output_increment, input_offset,
         zero);
}

}  // namespace
}  // namespace tflite::webnn::kernels

extern "C" {

TFLITE_WEBNN_DEFINE_DWCONV(qu8_dwconv_minmax_fp32, 9, uint8_t, void, xnn_qu8_conv_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(qu8_dwconv_minmax_fp32, 25, uint8_t, void, xnn_qu8_conv_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(qu8_dwconv_minmax_fp32, 49, uint8_t, void, xnn_qu8_conv_minmax_params)

}  // extern "C"
