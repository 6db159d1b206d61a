// The float GEMM and IGEMM kernels of wasm/xnnpack_kernels against scalar arithmetic in the same order, with weights
// packed by XNNPACK.
//
// Each array ends where the kernel may no longer read or write: AddressSanitizer guards its end.
#include "xnnpack_kernels/f32_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "src/xnnpack/pack.h"
#include "tests/kernels/dot16x2_kinds.h"

namespace tflite::webnn::kernels {
namespace {

struct Kernel {
  size_t rows;
  size_t columns;
  decltype(&tflite_webnn_f32_gemm_minmax_ukernel_6x8__wasm) gemm;
  decltype(&tflite_webnn_f32_igemm_minmax_ukernel_6x8__wasm) igemm;
};

constexpr Kernel kKernels[] = {
    {1, 8, tflite_webnn_f32_gemm_minmax_ukernel_1x8__wasm, nullptr},
    {6, 8, tflite_webnn_f32_gemm_minmax_ukernel_6x8__wasm, tflite_webnn_f32_igemm_minmax_ukernel_6x8__wasm},
    {2, 2, tflite_webnn_f32_gemm_minmax_ukernel_2x2__wasm, tflite_webnn_f32_igemm_minmax_ukernel_2x2__wasm},
    {8, 2, tflite_webnn_f32_gemm_minmax_ukernel_8x2__wasm, tflite_webnn_f32_igemm_minmax_ukernel_8x2__wasm},
};

constexpr xnn_f32_minmax_params kLimits = {{-1.5f, 1.25f}};
constexpr size_t kOffset = 7;
constexpr float kUntouched = 77;

// Checks the outputs of `shape`; a GEMM has one tap. Taps of rows are padding at random.
void Check(const Kernel& kernel, const Shape& shape) {
  std::mt19937 random(static_cast<uint32_t>(shape.rows + 8 * shape.columns + 512 * shape.depth + shape.taps));
  const auto make = [&](size_t size) { return MakeFloats(size, -1, 1, random); };
  const std::vector<float> biases = make(shape.columns);
  const std::vector<float> weights = make(shape.columns * shape.taps * shape.depth);
  std::vector<float> padding = make(shape.depth);
  std::vector<std::vector<float>> values;  // of each tap and row
  std::vector<const float*> pointers;
  for (size_t i = 0; i < shape.taps * kernel.rows; ++i) {
    const size_t row = std::min(i % kernel.rows, shape.rows - 1);
    const bool repeats = row != i % kernel.rows;
    const bool pads = repeats ? pointers.back() == padding.data() : random() % 3 == 0;
    values.push_back(repeats ? values.back() : pads ? padding : make(shape.depth));
    pointers.push_back(pads ? padding.data() : nullptr);
  }
  std::vector<std::vector<float>> blocks;
  for (size_t i = 0; i < values.size(); ++i) {
    blocks.emplace_back(kOffset).insert(blocks.back().end(), values[i].begin(), values[i].end());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (pointers[i] == nullptr) pointers[i] = blocks[i].data();
  }

  const size_t tiles = (shape.columns + kernel.columns - 1) / kernel.columns;
  std::vector<float> packed(tiles * kernel.columns * (1 + shape.taps * shape.depth));
  xnn_pack_f32_conv_goki_w(1, shape.columns, shape.taps, shape.depth, kernel.columns, 1, 1, weights.data(),
                           biases.data(), nullptr, packed.data(), 0, nullptr);

  const size_t stride = shape.columns + 3;  // between the rows are elements that must keep their value
  std::vector<float> out((shape.rows - 1) * stride + shape.columns, kUntouched);
  const size_t tile_bytes = kernel.columns * sizeof(float);
  if (shape.is_convolution) {
    kernel.igemm(shape.rows, shape.columns, shape.depth * sizeof(float), pointers.size() * sizeof(void*),
                 pointers.data(), packed.data(), out.data(), stride * sizeof(float), tile_bytes,
                 kOffset * sizeof(float), padding.data(), &kLimits);
  } else {
    std::vector<float> matrix;
    for (size_t row = 0; row < shape.rows; ++row) {
      matrix.insert(matrix.end(), values[row].begin(), values[row].end());
    }
    kernel.gemm(shape.rows, shape.columns, shape.depth * sizeof(float), matrix.data(), shape.depth * sizeof(float),
                packed.data(), out.data(), stride * sizeof(float), tile_bytes, &kLimits);
  }

  for (size_t i = 0; i < out.size(); ++i) {
    const size_t row = i / stride;
    const size_t column = i % stride;
    float expected = kUntouched;
    if (column < shape.columns) {
      float sum = biases[column];
      const float* weight = weights.data() + column * shape.taps * shape.depth;
      for (size_t tap = 0; tap < shape.taps; ++tap) {
        for (const float value : values[tap * kernel.rows + row]) sum = MultiplyAddOnce(value, *weight++, sum);
      }
      expected = std::clamp(sum, kLimits.scalar.min, kLimits.scalar.max);
    }
    ASSERT_EQ(out[i], expected) << shape << ", kernel of " << kernel.rows << " x " << kernel.columns << ": row " << row
                                << ", column " << column;
  }
}

class F32GemmTest : public testing::TestWithParam<Kernel> {};

TEST_P(F32GemmTest, AllSmallSizes) {
  const Kernel& kernel = GetParam();
  for (size_t rows = 1; rows <= kernel.rows; ++rows) {
    for (size_t columns = 1; columns <= (kernel.rows == 1 ? 65 : 2 * kernel.columns + 1); ++columns) {
      for (size_t depth = 1; depth <= 13; ++depth) {
        Check(kernel, {rows, columns, depth, 1, false, Fill::kRandom});
        for (const size_t taps : {1, 2, 9}) {
          if (kernel.igemm != nullptr) Check(kernel, {rows, columns, depth, taps, true, Fill::kRandom});
        }
        if (HasFatalFailure()) return;
      }
    }
  }
}

// More weights than a cache holds.
TEST_P(F32GemmTest, ManyWeights) { Check(GetParam(), {1, 65, 4100, 1, false, Fill::kRandom}); }

INSTANTIATE_TEST_SUITE_P(Kernels, F32GemmTest, testing::ValuesIn(kKernels), [](const auto& info) {
  return std::to_string(info.param.rows) + "x" + std::to_string(info.param.columns);
});

}  // namespace
}  // namespace tflite::webnn::kernels
