// The 8-bit GEMM and IGEMM kernels of wasm/xnnpack_kernels against scalar arithmetic, with weights packed by XNNPACK.
//
// Each array ends where the kernel may no longer read or write: AddressSanitizer guards its end.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "src/xnnpack/config-types.h"
#include "tests/kernels/dot16x2_kinds.h"
#include "xnnpack_kernels/weights_in_place.h"

namespace tflite::webnn::kernels {
namespace {

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
  const auto packed = MakeBuffer(shape, Kind::kTailBytes);
  kind.Pack(shape, columns, packed.get());

  // Between the rows are elements that must keep their value.
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
      for (const Fill fill : {Fill::kRandom, Fill::kLowest, Fill::kExtremes}) {
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
    CheckTiles<TypeParam>({0, 9, depth, 1, false, Fill::kLowest});
  }
}

TYPED_TEST(Dot16x2Test, DeepConvolutions) {
  for (const size_t depth : {kPanelDepth / 2 - 1, kPanelDepth / 2, kPanelDepth / 3 + 1, kPanelDepth + 1}) {
    CheckTiles<TypeParam>({0, 19, depth, 9, true, Fill::kRandom});
    CheckTiles<TypeParam>({0, 9, depth, 5, true, Fill::kExtremes});
  }
}

using Bytes = std::vector<uint8_t>;

// What an operator of XNNPACK keeps next to weights that it may reorder.
Bytes PackInPlace(const xnn_gemm_config& config, const Shape& shape, const Columns<int8_t>& columns) {
  const size_t stride = config.packed_stride_weights_and_biases(&config, shape.depth, 0, shape.depth, 8);
  Bytes packed(shape.columns * stride);
  const auto init = reinterpret_cast<xnn_init_scale_params_fn>(xnn_init_qs8_qc8w_scale_fp32_params);
  config.pack_weights_and_biases(0, &config, shape.depth, shape.columns, 1, 0, shape.depth, nullptr,
                                 columns.weights.get(), init, columns.offsets.data(), 4, init, columns.scales.data(), 4,
                                 packed.data(), nullptr);
  return packed;
}

void CheckInPlace(const Shape& shape) {
  std::mt19937 random(static_cast<uint32_t>(shape.columns + 512 * shape.depth));
  Columns<int8_t> columns(shape, random);
  const Qd8 kind(shape, columns, random);
  Rows<Qd8> rows(shape, 4, random);
  const auto packed = MakeBuffer(shape, Qd8::kTailBytes);
  kind.Pack(shape, columns, packed.get());
  const size_t size = shape.rows * shape.columns;
  const size_t row_bytes = shape.columns * sizeof(float);
  const auto expected = std::make_unique<float[]>(size);
  rows.Run<4>(kind, packed.get(), expected.get(), row_bytes);

  int8_t* const weights = columns.weights.get();
  const std::vector<int8_t> before(weights, weights + shape.columns * shape.depth);
  xnn_gemm_config usual{};
  usual.log2_kr = 1;
  const auto config = [&](size_t depth) {
    return tflite_webnn_qd8_f32_qc8w_gemm_config(weights, shape.columns, depth, false, &usual);
  };
  EXPECT_EQ(config(shape.depth), &usual);
  WeightsInPlace in_place;
  in_place.Allow(weights, shape.columns, shape.depth);
  EXPECT_EQ(config(shape.depth - 2), &usual);
  const xnn_gemm_config& found = *config(shape.depth);
  ASSERT_NE(&found, &usual);
  EXPECT_FALSE(in_place.AreReordered(weights));
  const Bytes small = PackInPlace(found, shape, columns);
  EXPECT_TRUE(in_place.AreReordered(weights));
  EXPECT_EQ(small, PackInPlace(found, shape, columns));
  for (const size_t tile_rows : {1, 4}) {
    if (tile_rows < shape.rows) continue;
    const auto out = std::make_unique<float[]>(size);
    found.minmax.dqgemm[tile_rows - 1].function[0](shape.rows, shape.columns, shape.depth, rows.At(0, 0),
                                                   rows.At(0, 1) - rows.At(0, 0), small.data(), out.get(), row_bytes,
                                                   kColumns * sizeof(float), &kind.params, kind.quantization.get());
    ASSERT_EQ(memcmp(out.get(), expected.get(), size * sizeof(float)), 0) << shape << ", " << tile_rows << " rows";
  }
  in_place.UseOwnOrder(true);
  EXPECT_EQ(memcmp(weights, before.data(), before.size()), 0);
  in_place.UseOwnOrder(false);
  in_place.Restore();
  EXPECT_EQ(memcmp(weights, before.data(), before.size()), 0);
  EXPECT_EQ(config(shape.depth), &usual);
}

TEST(WeightsInPlaceTest, HaveTheSameBitsAsPackedOnes) {
  for (const size_t depth : {2, 4, 6, 8, 14, 30, 64, 576, 4608, 9218}) {
    for (const size_t columns : {8, 16, 24}) {
      for (const size_t rows : {1, 2, 3, 4}) {
        for (const Fill fill : {Fill::kRandom, Fill::kLowest, Fill::kExtremes}) {
          CheckInPlace({rows, columns, depth, 1, false, fill});
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(WeightsInPlaceTest, OtherShapesArePacked) {
  EXPECT_TRUE(WeightsInPlace::CanReorder(16, 6));
  EXPECT_FALSE(WeightsInPlace::CanReorder(12, 6));
  EXPECT_FALSE(WeightsInPlace::CanReorder(16, 7));
}

}  // namespace
}  // namespace tflite::webnn::kernels
