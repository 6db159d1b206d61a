#ifndef TFLITE_WEBNN_TESTS_KERNELS_DOT16X2_KINDS_H_
#define TFLITE_WEBNN_TESTS_KERNELS_DOT16X2_KINDS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <random>
#include <vector>

#include "src/xnnpack/microparams-init.h"
#include "src/xnnpack/pack.h"
#include "xnnpack_kernels/dot16x2_gemm.h"
#include "xnnpack_kernels/dot16x2_tile.h"

// The kinds of kernels that dot16x2_gemm_test.cc tests, with their weights packed by XNNPACK.
namespace tflite::webnn::kernels {

inline constexpr int kZeroPoint = -3;  // of int8 outputs; uint8 ones have it plus 128, like all their limits
inline constexpr int kMin = -120;
inline constexpr int kMax = 110;

enum class Fill { kRandom, kLowest, kExtremes };

struct Shape {
  size_t rows;
  size_t columns;
  size_t depth;
  size_t taps;
  bool is_convolution;
  Fill fill;
};

inline std::ostream& operator<<(std::ostream& stream, const Shape& shape) {
  return stream << (shape.is_convolution ? "IGEMM " : "GEMM ") << shape.rows << " x " << shape.columns << ", "
                << shape.taps << " x " << shape.depth << " deep, fill " << static_cast<int>(shape.fill);
}

template <typename Value>
Value MakeValue(Fill fill, std::mt19937& random) {
  using Limits = std::numeric_limits<Value>;
  if (fill == Fill::kLowest) return Limits::min();
  if (fill == Fill::kExtremes) return random() % 2 == 0 ? Limits::min() : Limits::max();
  return static_cast<Value>(std::uniform_int_distribution<int>(Limits::min(), Limits::max())(random));
}

template <typename Value>
std::unique_ptr<Value[]> MakeArray(size_t size, Fill fill, std::mt19937& random) {
  std::unique_ptr<Value[]> array(new Value[size]);
  std::generate_n(array.get(), size, [&] { return MakeValue<Value>(fill, random); });
  return array;
}

inline std::vector<float> MakeFloats(size_t size, float min, float max, std::mt19937& random) {
  std::vector<float> values(size);
  std::generate(values.begin(), values.end(), [&] { return std::uniform_real_distribution(min, max)(random); });
  return values;
}

// MultiplyAdd() of xnnpack_kernels/floats.h, of one float.
inline float MultiplyAddOnce(float a, float b, float sum) {
#ifdef __wasm_relaxed_simd__
  return std::fma(a, b, sum);
#else
  return a * b + sum;
#endif
}

// The weights of a kernel, and what else its columns have.
template <typename Element>
struct Columns {
  Columns(const Shape& shape, std::mt19937& random)
      : weights(MakeArray<Element>(shape.columns * shape.taps * shape.depth, shape.fill, random)),
        biases(shape.columns),
        // Outputs of random weights reach both limits.
        scale(0.02f / std::sqrt(static_cast<float>(shape.taps * shape.depth))),
        scales(MakeFloats(shape.columns, 0.5f * scale, scale, random)),
        offsets(MakeFloats(shape.columns, -5, 5, random)) {
    for (int32_t& bias : biases) bias = std::uniform_int_distribution<int32_t>(-2000, 2000)(random);
  }

  std::unique_ptr<Element[]> weights;
  std::vector<int32_t> biases;
  float scale;
  std::vector<float> scales;
  std::vector<float> offsets;
};

inline size_t WeightBytes(const Shape& shape) { return kColumns * shape.taps * ((shape.depth + 1) / 2 * 2); }

// Memory for packed weights with `tail_bytes` after those of each tile.
inline std::unique_ptr<uint8_t[]> MakeBuffer(const Shape& shape, size_t tail_bytes) {
  const size_t tiles = (shape.columns + kColumns - 1) / kColumns;
  return std::unique_ptr<uint8_t[]>(
      new uint8_t[tiles * (kColumns * sizeof(int32_t) + WeightBytes(shape) + tail_bytes)]);
}

inline void PackFloats(const Shape& shape, const std::vector<float>& values, size_t offset, size_t tail_bytes,
                       uint8_t* packed) {
  const size_t weights_end = kColumns * sizeof(int32_t) + WeightBytes(shape);
  xnn_init_qs8_qc8w_scale_fp32_params(shape.columns, kColumns, weights_end + tail_bytes, values.data(),
                                      packed + weights_end + offset);
}

inline void PackInt8(const Shape& shape, const int8_t* weights, const int32_t* biases, int input_zero_point,
                     size_t tail_bytes, uint8_t* packed) {
  const xnn_qs8_packing_params params{static_cast<int8_t>(input_zero_point)};
  const auto pack = [&](auto function, auto... sizes) {
    function(1, shape.columns, sizes..., kColumns, 2, 1, weights, biases, nullptr, packed, tail_bytes, &params);
  };
  if (shape.is_convolution) {
    pack(xnn_pack_qs8_conv_goki_w, shape.taps, shape.depth);
  } else {
    pack(xnn_pack_qs8_gemm_goi_w, shape.depth);
  }
}

// Rounds to the nearest integer, half to even, between limits.
template <typename Output>
Output Round(float scaled, int zero_point, int min, int max) {
  const float limited = std::clamp(scaled, static_cast<float>(min - zero_point), static_cast<float>(max - zero_point));
  return static_cast<Output>(std::lrint(limited) + zero_point);
}

// A kind of kernels: its types, the zero points, what packs the weights, the kernels, and what they must return for the
// sum of (input - zero point) * (weight - zero point).
struct Qs8 {
  using Element = int8_t;
  using Output = int8_t;
  static constexpr size_t kTailBytes = kColumns * sizeof(float);
  static constexpr int kWeightZeroPoint = 0;

  Qs8(const Shape&, const Columns<Element>&, std::mt19937&) {
    xnn_init_qs8_qc8w_conv_minmax_fp32_scalar_params(&params, kZeroPoint, kMin, kMax);
  }
  int InputZeroPoint(size_t) const { return 5; }
  void Pack(const Shape& shape, const Columns<Element>& columns, uint8_t* packed) const {
    PackInt8(shape, columns.weights.get(), columns.biases.data(), InputZeroPoint(0), kTailBytes, packed);
    PackFloats(shape, columns.scales, 0, kTailBytes, packed);
  }
  Output Expected(const Columns<Element>& columns, size_t, size_t column, int32_t sum) const {
    return Round<Output>(static_cast<float>(sum + columns.biases[column]) * columns.scales[column], kZeroPoint, kMin,
                         kMax);
  }
  template <size_t kRows, typename... Arguments>
  void Gemm(Arguments... arguments) const {
    (kRows == 1 ? tflite_webnn_qs8_qc8w_gemm_minmax_fp32_ukernel_1x8c2__wasmsimd_dot16x2
                : tflite_webnn_qs8_qc8w_gemm_minmax_fp32_ukernel_4x8c2__wasmsimd_dot16x2)(arguments..., &params);
  }
  template <size_t kRows, typename... Arguments>
  void Igemm(const Element*, Arguments... arguments) const {
    (kRows == 1 ? tflite_webnn_qs8_qc8w_igemm_minmax_fp32_ukernel_1x8c2__wasmsimd_dot16x2
                : tflite_webnn_qs8_qc8w_igemm_minmax_fp32_ukernel_4x8c2__wasmsimd_dot16x2)(arguments..., &params);
  }

  xnn_qs8_qc8w_conv_minmax_params params;
};

struct Qu8 {
  using Element = uint8_t;
  using Output = uint8_t;
  static constexpr size_t kTailBytes = 0;
  static constexpr int kWeightZeroPoint = 119;

  Qu8(const Shape&, const Columns<Element>& columns, std::mt19937&) {
    xnn_init_qu8_conv_minmax_fp32_scalar_params(&params, kWeightZeroPoint, columns.scale, kZeroPoint + 128, kMin + 128,
                                                kMax + 128);
  }
  int InputZeroPoint(size_t) const { return 133; }
  void Pack(const Shape& shape, const Columns<Element>& columns, uint8_t* packed) const {
    const xnn_qu8_packing_params params{133, kWeightZeroPoint};
    const auto pack = [&](auto function, auto... sizes) {
      function(1, shape.columns, sizes..., kColumns, 2, 1, columns.weights.get(), columns.biases.data(), nullptr,
               packed, kTailBytes, &params);
    };
    if (shape.is_convolution) {
      pack(xnn_pack_qu8_conv_goki_w, shape.taps, shape.depth);
    } else {
      pack(xnn_pack_qu8_gemm_goi_w, shape.depth);
    }
  }
  Output Expected(const Columns<Element>& columns, size_t, size_t column, int32_t sum) const {
    return Round<Output>(static_cast<float>(sum + columns.biases[column]) * columns.scale, kZeroPoint + 128, kMin + 128,
                         kMax + 128);
  }
  template <size_t kRows, typename... Arguments>
  void Gemm(Arguments... arguments) const {
    (kRows == 1 ? tflite_webnn_qu8_gemm_minmax_fp32_ukernel_1x8c2__wasmsimd_dot16x2
                : tflite_webnn_qu8_gemm_minmax_fp32_ukernel_4x8c2__wasmsimd_dot16x2)(arguments..., &params);
  }
  template <size_t kRows, typename... Arguments>
  void Igemm(const Element*, Arguments... arguments) const {
    (kRows == 1 ? tflite_webnn_qu8_igemm_minmax_fp32_ukernel_1x8c2__wasmsimd_dot16x2
                : tflite_webnn_qu8_igemm_minmax_fp32_ukernel_4x8c2__wasmsimd_dot16x2)(arguments..., &params);
  }

  xnn_qu8_conv_minmax_params params;
};

struct Qd8 {
  using Element = int8_t;
  using Output = float;
  static constexpr size_t kTailBytes = 2 * kColumns * sizeof(float);
  static constexpr int kWeightZeroPoint = 0;
  static constexpr float kMin = -80, kMax = 90;

  // The rows of a convolution have one quantization.
  Qd8(const Shape& shape, const Columns<Element>&, std::mt19937& random)
      : row_count(shape.is_convolution ? 1 : shape.rows), quantization(new xnn_qd8_quantization_params[row_count]) {
    xnn_init_f32_minmax_scalar_params(&params, kMin, kMax);
    for (size_t row = 0; row < row_count; ++row) {
      quantization[row] = {static_cast<int32_t>(random() % 256) - 128, 0.25f + static_cast<float>(row)};
    }
  }
  const xnn_qd8_quantization_params& Quantization(size_t row) const { return quantization[row % row_count]; }
  int InputZeroPoint(size_t row) const { return Quantization(row).zero_point; }
  void Pack(const Shape& shape, const Columns<Element>& columns, uint8_t* packed) const {
    // Zero point 1 and no biases: the packed int32 are minus the sums of the weights.
    PackInt8(shape, columns.weights.get(), nullptr, 1, kTailBytes, packed);
    PackFloats(shape, columns.scales, 0, kTailBytes, packed);
    PackFloats(shape, columns.offsets, kColumns * sizeof(float), kTailBytes, packed);
  }
  Output Expected(const Columns<Element>& columns, size_t row, size_t column, int32_t sum) const {
    const float scaled = static_cast<float>(sum) * Quantization(row).inv_scale * columns.scales[column];
    return std::clamp(scaled + columns.offsets[column], kMin, kMax);
  }
  template <size_t kRows, typename... Arguments>
  void Gemm(Arguments... arguments) const {
    (kRows == 1 ? tflite_webnn_qd8_f32_qc8w_gemm_minmax_ukernel_1x8c2__wasmsimd_dot16x2
                : tflite_webnn_qd8_f32_qc8w_gemm_minmax_ukernel_4x8c2__wasmsimd_dot16x2)(arguments..., &params,
                                                                                         quantization.get());
  }
  template <size_t kRows, typename... Arguments>
  void Igemm(const Element* padding, Arguments... arguments) const {
    (kRows == 1 ? tflite_webnn_qd8_f32_qc8w_igemm_minmax_ukernel_1x8c2__wasmsimd_dot16x2
                : tflite_webnn_qd8_f32_qc8w_igemm_minmax_ukernel_4x8c2__wasmsimd_dot16x2)(arguments..., padding,
                                                                                          &params, quantization.get());
  }

  size_t row_count;
  std::unique_ptr<xnn_qd8_quantization_params[]> quantization;
  xnn_f32_minmax_params params;
};

}  // namespace tflite::webnn::kernels

#endif  // TFLITE_WEBNN_TESTS_KERNELS_DOT16X2_KINDS_H_
