// The 8-bit GEMM and IGEMM kernels of wasm/kernels against scalar arithmetic, with weights packed by XNNPACK.
//
// Each array ends where the kernel may no longer read or write: AddressSanitizer guards its end.
#include "kernels/dot16x2_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include "kernels/dot16x2_tile.h"
#include "src/xnnpack/microparams-init.h"
#include "src/xnnpack/pack.h"

namespace {

using tflite::webnn::kernels::kColumns;
using tflite::webnn::kernels::kPanelDepth;

constexpr int kZeroPoint = -3;  // of int8 outputs; uint8 ones have it plus 128, like all their limits
constexpr int kMin = -120;
constexpr int kMax = 110;

enum class Fill { kRandom, kLeast, kExtremes };

struct Shape {
  size_t rows;
  size_t columns;
  size_t depth;
  size_t taps;
  bool is_convolution;
  Fill fill;
};

std::ostream& operator<<(std::ostream& stream, const Shape& shape) {
  return stream << (shape.is_convolution ? "IGEMM " : "GEMM ") << shape.rows << " x " << shape.columns << ", "
                << shape.taps << " x " << shape.depth << " deep, fill " << static_cast<int>(shape.fill);
}

template <typename Value>
Value MakeValue(Fill fill, std::mt19937& random) {
  using Limits = std::numeric_limits<Value>;
  if (fill == Fill::kLeast) return Limits::min();
  if (fill == Fill::kExtremes) return random() % 2 == 0 ? Limits::min() : Limits::max();
  return static_cast<Value>(std::uniform_int_distribution<int>(Limits::min(), Limits::max())(random));
}

template <typename Value>
std::unique_ptr<Value[]> MakeArray(size_t size, Fill fill, std::mt19937& random) {
  std::unique_ptr<Value[]> array(new Value[size]);
  std::generate_n(array.get(), size, [&] { return MakeValue<Value>(fill, random); });
  return array;
}

std::vector<float> MakeFloats(size_t size, float min, float max, std::mt19937& random) {
  std::vector<float> values(size);
  std::generate(values.begin(), values.end(), [&] { return std::uniform_real_distribution(min, max)(random); });
  return values;
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

size_t WeightBytes(const Shape& shape) { return kColumns * shape.taps * ((shape.depth + 1) / 2 * 2); }

// Room for packed weights with `tail_bytes` after those of each tile.
std::unique_ptr<uint8_t[]> MakeRoom(const Shape& shape, size_t tail_bytes) {
  const size_t tiles = (shape.columns + kColumns - 1) / kColumns;
  return std::unique_ptr<uint8_t[]>(
      new uint8_t[tiles * (kColumns * sizeof(int32_t) + WeightBytes(shape) + tail_bytes)]);
}

void PackFloats(const Shape& shape, const std::vector<float>& values, size_t offset, size_t tail_bytes,
                uint8_t* packed) {
  const size_t weights_end = kColumns * sizeof(int32_t) + WeightBytes(shape);
  xnn_init_qs8_qc8w_scale_fp32_params(shape.columns, kColumns, weights_end + tail_bytes, values.data(),
                                      packed + weights_end + offset);
}

void PackInt8(const Shape& shape, const int8_t* weights, const int32_t* biases, int input_zero_point, size_t tail_bytes,
              uint8_t* packed) {
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
  static constexpr float kLeast = -80, kMost = 90;

  // The rows of a convolution have one quantization.
  Qd8(const Shape& shape, const Columns<Element>&, std::mt19937& random)
      : row_count(shape.is_convolution ? 1 : shape.rows), quantization(new xnn_qd8_quantization_params[row_count]) {
    xnn_init_f32_minmax_scalar_params(&params, kLeast, kMost);
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
    return std::clamp(scaled + columns.offsets[column], kLeast, kMost);
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

// The rows of one call: for each tap and row the values, and where the kernel finds them.
template <typename Kind>
class Rows {
 public:
  using Element = typename Kind::Element;
  using Output = typename Kind::Output;

  Rows(const Shape& shape, size_t tile_rows, std::mt19937& random)
      : shape_(shape),
        stride_(shape.depth + (shape.is_convolution ? 0 : 3)),
        padding_(MakeArray<Element>(shape.depth, Fill::kRandom, random)) {
    if (!shape.is_convolution) {
      blocks_.push_back(MakeArray<Element>((shape.rows - 1) * stride_ + shape.depth, shape.fill, random));
      return;
    }
    for (size_t i = 0; i < shape.taps * tile_rows; ++i) {
      // A tile's missing rows repeat its last one.
      const size_t row = i % tile_rows;
      if (row >= shape.rows) {
        pointers_.push_back(pointers_.back());
      } else if (random() % 3 == 0) {
        pointers_.push_back(zero());
      } else {
        blocks_.push_back(MakeArray<Element>(kOffset + shape.depth, shape.fill, random));
        pointers_.push_back(blocks_.back().get());
      }
    }
    tile_rows_ = tile_rows;
  }

  const Element* At(size_t tap, size_t row) const {
    if (!shape_.is_convolution) return blocks_[0].get() + row * stride_;
    const Element* pointer = pointers_[tap * tile_rows_ + row];
    return pointer == zero() ? padding_.get() : pointer + kOffset;
  }

  template <size_t kRows>
  void Run(const Kind& kind, const uint8_t* packed, Output* out, size_t row_bytes) {
    constexpr size_t kTileBytes = kColumns * sizeof(Output);
    if (shape_.is_convolution) {
      kind.template Igemm<kRows>(padding_.get(), shape_.rows, shape_.columns, shape_.depth,
                                 pointers_.size() * sizeof(void*), pointers_.data(), packed, out, row_bytes, kTileBytes,
                                 kOffset, zero());
    } else {
      kind.template Gemm<kRows>(shape_.rows, shape_.columns, shape_.depth, blocks_[0].get(), stride_, packed, out,
                                row_bytes, kTileBytes);
    }
  }

 private:
  static constexpr size_t kOffset = 7;

  // Dynamic kernels read `padding` instead, so any address will do for them; the others read the values there.
  const Element* zero() const { return padding_.get(); }

  const Shape shape_;
  const size_t stride_;
  size_t tile_rows_ = 0;
  std::unique_ptr<Element[]> padding_;
  std::vector<std::unique_ptr<Element[]>> blocks_;
  std::vector<const Element*> pointers_;
};

template <typename Kind>
int32_t Sum(const Kind& kind, const Shape& shape, const Columns<typename Kind::Element>& columns,
            const Rows<Kind>& rows, size_t row, size_t column) {
  uint32_t sum = 0;  // wraps, as the kernels' sums do
  const auto* weight = columns.weights.get() + column * shape.taps * shape.depth;
  for (size_t tap = 0; tap < shape.taps; ++tap) {
    for (size_t k = 0; k < shape.depth; ++k, ++weight) {
      sum += (rows.At(tap, row)[k] - kind.InputZeroPoint(row)) * (*weight - Kind::kWeightZeroPoint);
    }
  }
  return std::bit_cast<int32_t>(sum);
}

template <typename Kind, size_t kRows>
void Check(const Shape& shape) {
  using Output = typename Kind::Output;
  std::mt19937 random(static_cast<uint32_t>(shape.rows + 8 * shape.columns + 512 * shape.depth + shape.taps));
  const Columns<typename Kind::Element> columns(shape, random);
  const Kind kind(shape, columns, random);
  Rows<Kind> rows(shape, kRows, random);
  const auto packed = MakeRoom(shape, Kind::kTailBytes);
  kind.Pack(shape, columns, packed.get());

  // Between the rows are places that must keep their value.
  const size_t stride = shape.columns + 3;
  const size_t size = (shape.rows - 1) * stride + shape.columns;
  constexpr Output kUntouched = 77;
  std::unique_ptr<Output[]> out(new Output[size]);
  std::fill_n(out.get(), size, kUntouched);
  rows.template Run<kRows>(kind, packed.get(), out.get(), stride * sizeof(Output));

  for (size_t i = 0; i < size; ++i) {
    const size_t row = i / stride;
    const size_t column = i % stride;
    const Output expected = column >= shape.columns
                                ? kUntouched
                                : kind.Expected(columns, row, column, Sum(kind, shape, columns, rows, row, column));
    ASSERT_EQ(out[i], expected) << shape << ", kernel of " << kRows << " rows: row " << row << ", column " << column;
  }
}

template <typename Kind>
void CheckTiles(Shape shape) {
  for (shape.rows = 1; shape.rows <= 4; ++shape.rows) {
    if (shape.rows == 1) Check<Kind, 1>(shape);
    Check<Kind, 4>(shape);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <typename Kind>
class Dot16x2Test : public testing::Test {};

using Kinds = testing::Types<Qs8, Qd8, Qu8>;
TYPED_TEST_SUITE(Dot16x2Test, Kinds);

TYPED_TEST(Dot16x2Test, MatricesOfAllSmallSizes) {
  for (size_t depth = 1; depth <= 33; ++depth) {
    for (size_t columns = 1; columns <= 17; ++columns) {
      for (const Fill fill : {Fill::kRandom, Fill::kLeast, Fill::kExtremes}) {
        CheckTiles<TypeParam>({0, columns, depth, 1, false, fill});
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

TYPED_TEST(Dot16x2Test, ConvolutionsOfAllSmallSizes) {
  for (size_t depth = 1; depth <= 33; ++depth) {
    for (const size_t columns : {1, 5, 8, 15, 17}) {
      for (const size_t taps : {1, 2, 9}) {
        for (const Fill fill : {Fill::kRandom, Fill::kExtremes}) {
          CheckTiles<TypeParam>({0, columns, depth, taps, true, fill});
          if (this->HasFatalFailure()) return;
        }
      }
    }
  }
}

// Rows that are widened in parts.
TYPED_TEST(Dot16x2Test, DeepMatrices) {
  for (const size_t depth : {kPanelDepth - 1, kPanelDepth, kPanelDepth + 1, 2 * kPanelDepth + 3}) {
    CheckTiles<TypeParam>({0, 19, depth, 1, false, Fill::kRandom});
    CheckTiles<TypeParam>({0, 9, depth, 1, false, Fill::kLeast});
  }
}

TYPED_TEST(Dot16x2Test, DeepConvolutions) {
  for (const size_t depth : {kPanelDepth / 2 - 1, kPanelDepth / 2, kPanelDepth / 3 + 1, kPanelDepth + 1}) {
    CheckTiles<TypeParam>({0, 19, depth, 9, true, Fill::kRandom});
    CheckTiles<TypeParam>({0, 9, depth, 5, true, Fill::kExtremes});
  }
}

}  // namespace
