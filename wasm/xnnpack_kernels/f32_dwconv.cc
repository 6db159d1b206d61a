// Depthwise convolutions of float32, with fused multiply-add where there is relaxed SIMD.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "xnnpack_kernels/dwconv.h"
#include "xnnpack_kernels/dwconv_tile.h"
#include "xnnpack_kernels/floats.h"

namespace tflite::webnn::kernels {
namespace {

class F32Dwconv {
 public:
  using Element = float;

  explicit F32Dwconv(const xnn_f32_minmax_params& limits) : limits_(limits) {}

  template <int kPixels>
  const uint8_t* Compute(const float* const* taps, size_t count, size_t channel, size_t channels, const uint8_t* packed,
                         float* output, size_t pixel_bytes) const {
    if (channels > 4) return ComputeVectors<kPixels, 2>(taps, count, channel, channels, packed, output, pixel_bytes);
    return ComputeVectors<kPixels, 1>(taps, count, channel, channels, packed, output, pixel_bytes);
  }

 private:
  // One tap an iteration, and sums that live across iterations: unrolled, LLVM puts all taps' loads before the first
  // multiplication, because the sum is the last operand, and V8 spills what was loaded.
  template <int kPixels, int kVectors>
  const uint8_t* ComputeVectors(const float* const* taps, size_t count, size_t channel, size_t channels,
                                const uint8_t* packed, float* output, size_t pixel_bytes) const {
    const auto* weights = reinterpret_cast<const float*>(packed);
    v128_t sums[kPixels][kVectors];
    for (auto& sum : sums) {
      for (int i = 0; i < kVectors; ++i) sum[i] = wasm_v128_load(weights + 4 * i);
    }
    weights += kDwconvChannels;
#pragma clang loop unroll(disable)
    for (size_t tap = 0; tap < count; ++tap) {
      v128_t factors[kVectors];
      for (int i = 0; i < kVectors; ++i) factors[i] = wasm_v128_load(weights + 4 * i);
#pragma clang loop unroll(full)
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        const float* values = taps[pixel] + channel;
#pragma clang loop unroll(full)
        for (int i = 0; i < kVectors; ++i) {
          sums[pixel][i] = MultiplyAdd(wasm_v128_load(values + 4 * i), factors[i], sums[pixel][i]);
        }
      }
      taps += kPixels;
      weights += kDwconvChannels;
    }
#pragma clang loop unroll(full)
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      auto* target = reinterpret_cast<float*>(reinterpret_cast<char*>(output) + pixel * pixel_bytes);
      if (kVectors == 2) wasm_v128_store(target, limits_.Clamp(sums[pixel][0]));
      StoreFloats(limits_.Clamp(sums[pixel][kVectors - 1]), target + 4 * (kVectors - 1), channels - 4 * (kVectors - 1));
    }
    return reinterpret_cast<const uint8_t*>(weights);
  }

  const Limits limits_;
};

void Compute(size_t taps, size_t channels, size_t width, const float** input, const void* weights, float* output,
             intptr_t input_stride, size_t output_increment, size_t input_offset, const float* zero,
             const xnn_f32_minmax_params& params) {
  Dwconv(F32Dwconv(params), taps, channels, width, input, weights, output, input_stride, output_increment, input_offset,
         zero);
}

}  // namespace
}  // namespace tflite::webnn::kernels

extern "C" {

TFLITE_WEBNN_DEFINE_DWCONV(f32_dwconv_minmax, 3, float, float, xnn_f32_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(f32_dwconv_minmax, 4, float, float, xnn_f32_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(f32_dwconv_minmax, 9, float, float, xnn_f32_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(f32_dwconv_minmax, 25, float, float, xnn_f32_minmax_params)
TFLITE_WEBNN_DEFINE_DWCONV(f32_dwconv_minmax, 49, float, float, xnn_f32_minmax_params)

}  // extern "C"
