#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_DWCONV_TILE_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_DWCONV_TILE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Depthwise convolutions, 4 pixels at a time. docs/explanation/kernels.md says why they are fast.
namespace tflite::webnn::kernels {

inline constexpr size_t kDwconvChannels = 8;  // per block of packed weights
inline constexpr size_t kMaxTaps = 49;

// Where a pixel's taps are: XNNPACK's pointers, of which those equal to `zero` stand for padding.
template <typename Element>
struct DwconvInput {
  const Element* At(size_t pixel, size_t tap) const {
    const auto* pixels = reinterpret_cast<const char*>(pointers) + pixel * stride;
    const Element* pointer = reinterpret_cast<const Element* const*>(pixels)[tap];
    if (pointer == zero) return zero;
    return reinterpret_cast<const Element*>(reinterpret_cast<const char*>(pointer) + offset);
  }

  const Element* const* pointers;
  intptr_t stride;
  size_t offset;
  const Element* zero;
};

// The outputs of kPixels pixels.
//
// Kernel has: Element; Compute<kPixels>(taps, count, channel, channels, packed, output, pixel_bytes), which computes up
// to 8 `channels` of each pixel from `channel` on, where `taps` has the pixels' pointers tap by tap, and returns the
// next block of weights. It may read XNN_EXTRA_BYTES beyond the channels.
template <int kPixels, typename Kernel>
inline void DwconvPixels(const Kernel& kernel, size_t taps, size_t channels,
                         const DwconvInput<typename Kernel::Element>& input, size_t first_pixel, const uint8_t* packed,
                         typename Kernel::Element* output, size_t pixel_bytes) {
  const typename Kernel::Element* pointers[kMaxTaps * kPixels];
  auto** pointer = pointers;
  for (size_t tap = 0; tap < taps; ++tap) {
    for (size_t pixel = 0; pixel < kPixels; ++pixel) *pointer++ = input.At(first_pixel + pixel, tap);
  }
  for (size_t channel = 0; channel < channels; channel += kDwconvChannels) {
    packed = kernel.template Compute<kPixels>(pointers, taps, channel, std::min(channels - channel, kDwconvChannels),
                                              packed, output + channel, pixel_bytes);
  }
}

// The arguments of XNNPACK's depthwise microkernels, but for the parameters, from which `kernel` is created.
template <typename Kernel>
inline void Dwconv(const Kernel& kernel, size_t taps, size_t channels, size_t width,
                   const typename Kernel::Element** input, const void* weights, typename Kernel::Element* output,
                   intptr_t input_stride, size_t output_increment, size_t input_offset,
                   const typename Kernel::Element* zero) {
  using Element = typename Kernel::Element;
  const DwconvInput<Element> pixels{input, input_stride, input_offset, zero};
  const size_t pixel_bytes = channels * sizeof(Element) + output_increment;
  const auto* packed = static_cast<const uint8_t*>(weights);
  const auto at = [&](size_t pixel) {
    return reinterpret_cast<Element*>(reinterpret_cast<char*>(output) + pixel * pixel_bytes);
  };
  size_t pixel = 0;
  for (; pixel + 4 <= width; pixel += 4) {
    DwconvPixels<4>(kernel, taps, channels, pixels, pixel, packed, at(pixel), pixel_bytes);
  }
  if (width & 2) {
    DwconvPixels<2>(kernel, taps, channels, pixels, pixel, packed, at(pixel), pixel_bytes);
    pixel += 2;
  }
  if (width & 1) DwconvPixels<1>(kernel, taps, channels, pixels, pixel, packed, at(pixel), pixel_bytes);
}

}  // namespace tflite::webnn::kernels

// XNNPACK's microkernel for a number of taps. Compute() has the arguments of Dwconv(), and the parameters.
#define TFLITE_WEBNN_DEFINE_DWCONV(kind, taps, Element, Packed, Parameters)                                           \
  void tflite_webnn_##kind##_ukernel_##taps##p8c__wasm(size_t channels, size_t width, const Element** input,          \
                                                       const Packed* weights, Element* output, intptr_t input_stride, \
                                                       size_t output_increment, size_t input_offset, size_t,          \
                                                       const Element* zero, const Parameters* params) {               \
    tflite::webnn::kernels::Compute(taps, channels, width, input, weights, output, input_stride, output_increment,    \
                                    input_offset, zero, *params);                                                     \
  }

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_DWCONV_TILE_H_
