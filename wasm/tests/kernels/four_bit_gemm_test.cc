// The GEMM kernels of 4-bit weights against scalar arithmetic, with weights packed by XNNPACK: equal bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "src/xnnpack/math.h"
#include "src/xnnpack/microparams-init.h"
#include "src/xnnpack/pack.h"
#include "xnnpack_kernels/dot16x2_gemm.h"

namespace tflite::webnn::kernels {
namespace {

constexpr size_t kTileColumns = 8;
constexpr float kMin = -300, kMax = 400;

struct Size {
  size_t rows, columns, depth, block;  // block 0: a scale per column
};

class FourBit {
 public:
  FourBit(const Size& size, int zero_point)
      : size_(size),
        random_(static_cast<uint32_t>(size.rows + 8 * size.columns + 512 * size.depth)),
        blocks_(size.block == 0 ? 1 : size.depth / size.block),
        stride_(size.depth + 3),
        weights_(size.columns * size.depth),
        halves_((weights_.size() + 1) / 2),
        // Of three bits: sums of blocks stay exact.
        scales_(size.columns * blocks_),
        offsets_(size.columns),
        quantization_(size.rows),
        rows_(new int8_t[(size.rows - 1) * stride_ + size.depth]) {
    for (size_t i = 0; i < weights_.size(); ++i) {
      weights_[i] = static_cast<int>(random_() % 16) - 8;
      halves_[i / 2] |= ((weights_[i] + zero_point) & 15) << (i % 2 * 4);
    }
    for (float& scale : scales_) scale = static_cast<float>(random_() % 7 + 1) / 64;
    for (float& offset : offsets_) offset = static_cast<float>(random_() % 99) / 7;
    for (size_t row = 0; row < size.rows; ++row) {
      quantization_[row] = {static_cast<int32_t>(random_() % 256) - 128, (0.25f + static_cast<float>(row)) / 9};
    }
    for (size_t i = 0; i < (size.rows - 1) * stride_ + size.depth; ++i) rows_[i] = static_cast<int8_t>(random_());
    Pack(static_cast<uint8_t>(zero_point));
  }

  void Check(size_t tile_rows) {
    const size_t out_stride = size_.columns + 3;
    std::vector<float> out(size_.rows * out_stride, 77);
    Run(tile_rows, out.data(), out_stride * sizeof(float));
    for (size_t row = 0; row < size_.rows; ++row) {
      for (size_t column = 0; column < out_stride; ++column) {
        const float expected = column < size_.columns ? Expected(row, column) : 77;
        ASSERT_EQ(out[row * out_stride + column], expected)
            << size_.rows << " x " << size_.depth << " x " << size_.columns << ", blocks of " << size_.block
            << ", kernel of " << tile_rows << " rows: row " << row << ", column " << column;
      }
    }
  }

 private:
  size_t TailBytes() const { return kTileColumns * sizeof(float) * (size_.block == 0 ? 2 : 1); }
  size_t BlockBytes() const { return kTileColumns * size_.block / 2 + kTileColumns * sizeof(uint16_t); }
  size_t TileBytes() const {
    const size_t weights = size_.block == 0 ? kTileColumns * ((size_.depth + 3) / 4 * 4) / 2 : blocks_ * BlockBytes();
    return kTileColumns * sizeof(int32_t) + weights + TailBytes();
  }

  void Pack(uint8_t zero_point) {
    const size_t tiles = (size_.columns + kTileColumns - 1) / kTileColumns;
    packed_.reset(new uint8_t[tiles * TileBytes()]());
    const xnn_qs8_qc4w_packing_params params{1, zero_point};
    if (size_.block == 0) {
      xnn_pack_qs8_qc4w_gemm_goi_w(1, size_.columns, size_.depth, kTileColumns, 2, 1, halves_.data(), nullptr, nullptr,
                                   packed_.get(), TailBytes(), &params);
    } else {
      std::vector<xnn_bfloat16> scales;
      for (const float scale : scales_) scales.push_back(xnn_bfloat16_from_float(scale));
      xnn_pack_qs8_qb4w_gemm_goi_w(1, size_.columns, size_.depth, kTileColumns, 2, 1, size_.block, halves_.data(),
                                   nullptr, scales.data(), packed_.get(), kTileColumns * sizeof(uint16_t), TailBytes(),
                                   &params);
    }
    for (size_t column = 0; column < size_.columns; ++column) PackFloats(column);
  }

  // Scales and offsets of a column, as XNNPACK's operators put them there.
  void PackFloats(size_t column) {
    const size_t lane = column % kTileColumns;
    uint8_t* tile = packed_.get() + column / kTileColumns * TileBytes();
    uint8_t* tail = tile + TileBytes() - TailBytes();
    const auto put = [](uint8_t* target, size_t index, auto value) {
      memcpy(target + index * sizeof(value), &value, sizeof(value));
    };
    if (size_.block == 0) {
      put(tail, lane, scales_[column]);
      put(tail, kTileColumns + lane, offsets_[column]);
      return;
    }
    put(tail, lane, offsets_[column]);
    for (size_t block = 0; block < blocks_; ++block) {
      uint8_t* target = tile + kTileColumns * sizeof(float) + (block + 1) * BlockBytes() - 2 * kTileColumns;
      put(target, lane, xnn_bfloat16_from_float(scales_[column * blocks_ + block] / 16));
    }
  }

  void Run(size_t tile_rows, float* out, size_t row_bytes) const {
    const auto run = [&](auto function, const auto& params) {
      function(size_.rows, size_.columns, size_.depth, rows_.get(), stride_, packed_.get(), out, row_bytes,
               kTileColumns * sizeof(float), &params, quantization_.data());
    };
    if (size_.block == 0) {
      const xnn_f32_qc4w_minmax_params params{{kMin, kMax, 0}};
      run(tile_rows == 1 ? tflite_webnn_qd8_f32_qc4w_gemm_minmax_ukernel_1x8c2__wasmsimd_dot16x2
                         : tflite_webnn_qd8_f32_qc4w_gemm_minmax_ukernel_4x8c2__wasmsimd_dot16x2,
          params);
    } else {
      const xnn_f32_qb4w_minmax_params params{{kMin, kMax, size_.block}};
      run(tile_rows == 1 ? tflite_webnn_qd8_f32_qb4w_gemm_minmax_ukernel_1x8c2__wasmsimd_dot16x2
                         : tflite_webnn_qd8_f32_qb4w_gemm_minmax_ukernel_4x8c2__wasmsimd_dot16x2,
          params);
    }
  }

  float Expected(size_t row, size_t column) const {
    const xnn_qd8_quantization_params& quantization = quantization_[row];
    double scaled = 0;
    int32_t sum = 0;
    for (size_t k = 0; k < size_.depth; ++k) {
      const int product = (rows_[row * stride_ + k] - quantization.zero_point) * weights_[column * size_.depth + k];
      sum += product;
      if (size_.block != 0) scaled += static_cast<double>(product) * scales_[column * blocks_ + k / size_.block];
    }
    float value = size_.block == 0 ? static_cast<float>(sum) * quantization.inv_scale * scales_[column]
                                   : static_cast<float>(scaled) * quantization.inv_scale;
    value += offsets_[column];
    return std::clamp(value, kMin, kMax);
  }

  const Size size_;
  std::mt19937 random_;
  const size_t blocks_;
  const size_t stride_;
  std::vector<int> weights_;
  std::vector<uint8_t> halves_;
  std::vector<float> scales_;
  std::vector<float> offsets_;
  std::vector<xnn_qd8_quantization_params> quantization_;
  std::unique_ptr<int8_t[]> rows_;
  std::unique_ptr<uint8_t[]> packed_;
};

void CheckRows(Size size) {
  for (const int zero_point : {0, 8}) {
    for (size.rows = 1; size.rows <= 4; ++size.rows) {
      FourBit four_bit(size, zero_point);
      if (size.rows == 1) four_bit.Check(1);
      four_bit.Check(4);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// XNNPACK's delegate rejects odd depths.
TEST(FourBitTest, ScalesOfColumns) {
  for (const size_t depth : {2, 4, 6, 8, 10, 30, 32, 34, 66, 4606, 4608, 4610, 9218}) {
    for (const size_t columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17}) {
      CheckRows({0, columns, depth, 0});
      if (HasFatalFailure()) return;
    }
  }
}

TEST(FourBitTest, ScalesOfBlocks) {
  for (const size_t block : {32, 64, 96, 256}) {
    for (const size_t blocks : {1, 2, 3, 5, 20}) {
      for (const size_t columns : {1, 4, 7, 8, 13, 16}) {
        CheckRows({0, columns, block * blocks, block});
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace tflite::webnn::kernels
