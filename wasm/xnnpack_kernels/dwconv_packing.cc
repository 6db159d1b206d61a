#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "src/xnnpack/pack.h"
#include "xnnpack_kernels/dot_product.h"
#include "xnnpack_kernels/dwconv.h"
#include "xnnpack_kernels/dwconv_tile.h"

namespace tflite::webnn::kernels {
namespace {

constexpr size_t kBiasBytes = kDwconvChannels * sizeof(int32_t);

// Puts the weights of each `group` taps next to each other, channel by channel. Taps that fill no group keep their
// order.
void Interleave(uint8_t* taps, size_t count, size_t group) {
  std::array<uint8_t, 4 * kDwconvChannels> old;
  for (; count >= group; count -= group, taps += group * kDwconvChannels) {
    std::memcpy(old.data(), taps, group * kDwconvChannels);
    for (size_t i = 0; i < group * kDwconvChannels; ++i) taps[i] = old[i % group * kDwconvChannels + i / group];
  }
}

// Lets the biases make up for values that are 128 too large in the first `count` taps.
void LowerBiases(uint8_t* block, size_t count) {
  for (size_t channel = 0; channel < kDwconvChannels; ++channel) {
    uint32_t bias;  // wraps, as the kernels' sums do
    std::memcpy(&bias, block + channel * sizeof(bias), sizeof(bias));
    for (size_t tap = 0; tap < count; ++tap) {
      bias -= 128 * static_cast<int8_t>(block[kBiasBytes + tap * kDwconvChannels + channel]);
    }
    std::memcpy(block + channel * sizeof(bias), &bias, sizeof(bias));
  }
}

void Rearrange(void* packed, size_t taps, size_t channels, size_t extra_bytes, DotProduct dot_product) {
  const size_t group = dot_product == DotProduct::kNone ? 2 : 4;
  auto* block = static_cast<uint8_t*>(packed);
  for (size_t channel = 0; channel < channels; channel += kDwconvChannels) {
    if (dot_product == DotProduct::kUnsigned) LowerBiases(block, taps / group * group);
    Interleave(block + kBiasBytes, taps, group);
    block += kBiasBytes + taps * kDwconvChannels + extra_bytes;
  }
}

}  // namespace
}  // namespace tflite::webnn::kernels

using tflite::webnn::AcceptedDotProduct;
using tflite::webnn::DotProduct;
using tflite::webnn::kernels::Rearrange;

extern "C" {

#define TFLITE_WEBNN_PACK_DWCONV(type, order, element, scales, dot_product)                                        \
  void tflite_webnn_pack_##type##_dwconv_##order##_w(                                                              \
      size_t primary_tile, size_t h, size_t w, size_t c, size_t channel_tile, const element* kernel,               \
      const int32_t* bias, const scales* scale, void* packed_weights, size_t per_tile_extra_bytes,                 \
      const xnn_##type##_packing_params* params) {                                                                 \
    xnn_pack_##type##_dwconv_##order##_w(primary_tile, h, w, c, channel_tile, kernel, bias, scale, packed_weights, \
                                         per_tile_extra_bytes, params);                                            \
    Rearrange(packed_weights, primary_tile, c, per_tile_extra_bytes, dot_product);                                 \
  }

TFLITE_WEBNN_PACK_DWCONV(qs8, ghw, int8_t, float, AcceptedDotProduct())
TFLITE_WEBNN_PACK_DWCONV(qs8, hwg, int8_t, float, AcceptedDotProduct())
TFLITE_WEBNN_PACK_DWCONV(qu8, ghw, uint8_t, void, DotProduct::kNone)
TFLITE_WEBNN_PACK_DWCONV(qu8, hwg, uint8_t, void, DotProduct::kNone)

}  // extern "C"
