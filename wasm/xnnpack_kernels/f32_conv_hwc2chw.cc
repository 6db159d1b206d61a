// The first convolution of a network with sparse weights: 3 x 3 with stride 2, from pixels with 3 channels to planes.
#include "xnnpack_kernels/f32_conv_hwc2chw.h"

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "xnnpack_kernels/floats.h"

namespace tflite::webnn::kernels {
namespace {

constexpr size_t kChannels = 3;            // of the input
constexpr size_t kTapRow = 3 * kChannels;  // values in a row of taps
constexpr size_t kStep = 2 * kChannels;    // values from a pixel's taps to the next one's
constexpr size_t kPixels = 8;              // at a time

// Where 4 channels of an output row are; the last ones repeat if there are fewer.
struct Planes {
  float* of[4];

  Planes(float* first, size_t count, size_t stride) {
    for (size_t i = 0; i < 4; ++i) {
      of[i] = reinterpret_cast<float*>(reinterpret_cast<uintptr_t>(first) + std::min(i, count - 1) * stride);
    }
  }
};

// Stores 4 vectors, of a pixel each, as a vector for each plane.
void StorePixels(const v128_t* pixels, const Planes& planes, size_t x) {
  const v128_t low[] = {wasm_i32x4_shuffle(pixels[0], pixels[1], 0, 4, 1, 5),
                        wasm_i32x4_shuffle(pixels[2], pixels[3], 0, 4, 1, 5)};
  const v128_t high[] = {wasm_i32x4_shuffle(pixels[0], pixels[1], 2, 6, 3, 7),
                         wasm_i32x4_shuffle(pixels[2], pixels[3], 2, 6, 3, 7)};
  // From the last plane on: one that repeats keeps what its own channel computes.
  wasm_v128_store(planes.of[3] + x, wasm_i64x2_shuffle(high[0], high[1], 1, 3));
  wasm_v128_store(planes.of[2] + x, wasm_i64x2_shuffle(high[0], high[1], 0, 2));
  wasm_v128_store(planes.of[1] + x, wasm_i64x2_shuffle(low[0], low[1], 1, 3));
  wasm_v128_store(planes.of[0] + x, wasm_i64x2_shuffle(low[0], low[1], 0, 2));
}

// Sums of kCount pixels whose taps begin at `index` of three rows: 4 channels in a vector, in the order of the weights.
template <size_t kCount>
void Multiply(const float* const (&rows)[3], size_t index, const float* weights, v128_t (&sums)[kCount]) {
  for (auto& sum : sums) sum = wasm_v128_load(weights);
  weights += 4;
#pragma clang loop unroll(disable)
  for (size_t tap = 0; tap < kTapRow; ++tap, ++index) {
#pragma clang loop unroll(full)
    for (const float* row : rows) {
      const v128_t weight = wasm_v128_load(weights);
      weights += 4;
#pragma clang loop unroll(full)
      for (size_t i = 0; i < kCount; ++i) {
        sums[i] = MultiplyAdd(wasm_v128_load32_splat(row + index + kStep * i), weight, sums[i]);
      }
    }
  }
}

// One pixel whose taps may lie beyond the input's left or right side.
void ComputeSide(const float* const (&rows)[3], size_t x, size_t input_width, const float* weights,
                 const Planes& planes, const Limits& limits) {
  float taps[3][kTapRow] = {};
  const size_t skipped = x == 0 ? 1 : 0;
  const size_t first = 2 * x + skipped - 1;
  const size_t count = std::min<size_t>(3 - skipped, input_width - first);
  for (size_t i = 0; i < 3; ++i) {
    std::memcpy(taps[i] + skipped * kChannels, rows[i] + first * kChannels, count * kChannels * sizeof(float));
  }
  v128_t sum[1];
  Multiply({taps[0], taps[1], taps[2]}, 0, weights, sum);
  float values[4];
  wasm_v128_store(values, limits.Clamp(sum[0]));
  for (size_t i = 4; i-- > 0;) planes.of[i][x] = values[i];
}

void ComputeRow(const float* const (&rows)[3], size_t input_width, const float* weights, const Planes& planes,
                const Limits& limits) {
  const size_t width = (input_width + 1) / 2;
  const size_t end = input_width / 2;  // behind the last pixel that has all taps
  ComputeSide(rows, 0, input_width, weights, planes, limits);
  size_t x = 1;
  if (end > kPixels) {
    for (; x < end; x += kPixels) {
      x = std::min(x, end - kPixels);  // some are computed again rather than one by one
      v128_t sums[kPixels];
      Multiply(rows, (2 * x - 1) * kChannels, weights, sums);
      for (auto& sum : sums) sum = limits.Clamp(sum);
      StorePixels(sums, planes, x);
      StorePixels(sums + 4, planes, x + 4);
    }
  }
  for (; x < width; ++x) ComputeSide(rows, x, input_width, weights, planes, limits);
}

}  // namespace
}  // namespace tflite::webnn::kernels

extern "C" void tflite_webnn_f32_conv_hwc2chw_ukernel_3x3s2p1c3x4__wasm(
    size_t input_height, size_t input_width, size_t output_y_start, size_t output_y_end, const float* input,
    const float* zero, const float* weights, float* output, size_t input_padding_top, size_t output_channels,
    size_t output_height_stride, size_t output_channel_stride, const xnn_f32_minmax_params* params) {
  using namespace tflite::webnn::kernels;
  const Limits limits(*params);
  const auto at = [](float* base, size_t bytes) {
    return reinterpret_cast<float*>(reinterpret_cast<uintptr_t>(base) + bytes);
  };
  for (size_t y = output_y_start; y < output_y_end; ++y) {
    const float* rows[3];
    for (size_t i = 0; i < 3; ++i) {
      const size_t input_y = 2 * y + i - input_padding_top;  // above the first row: wraps
      rows[i] = input_y < input_height ? input + input_y * input_width * kChannels : zero;
    }
    float* const row = at(output, y * output_height_stride);
    for (size_t channel = 0; channel < output_channels; channel += 4) {
      const Planes planes(at(row, channel * output_channel_stride), std::min<size_t>(4, output_channels - channel),
                          output_channel_stride);
      ComputeRow(rows, input_width, weights + channel * (1 + 3 * kTapRow), planes, limits);
    }
  }
}
