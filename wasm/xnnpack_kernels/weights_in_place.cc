#include "xnnpack_kernels/weights_in_place.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "src/xnnpack/config-types.h"
#include "xnnpack_kernels/dot16x2_gemm.h"
#include "xnnpack_kernels/dot16x2_tile.h"

namespace tflite::webnn {
namespace {

using kernels::kColumns;

constexpr size_t kTailBytes = 2 * kColumns * sizeof(float);
constexpr size_t kTileBytes = kColumns * sizeof(int32_t) + kTailBytes + kernels::kAddressBytes;

struct Matrix {
  uint8_t* elements;
  size_t columns;
  size_t depth;
  bool is_reordered;
  std::vector<int32_t> minus_sums;  // of each column
};

std::map<const void*, Matrix>& AllowedMatrices() {
  static auto* matrices = new std::map<const void*, Matrix>();
  return *matrices;
}

// Between the order of the file, a column after the other, and that of the kernels: for each pair of elements the 8
// columns' two.
void ReorderTile(uint8_t* weights, size_t pairs, bool is_back, std::vector<uint8_t>& buffer) {
  buffer.resize(kColumns * pairs * 2);
  for (size_t column = 0; column < kColumns; ++column) {
    for (size_t pair = 0; pair < pairs; ++pair) {
      const size_t here = 2 * (column * pairs + pair);
      const size_t there = 2 * (pair * kColumns + column);
      memcpy(&buffer[is_back ? here : there], &weights[is_back ? there : here], 2);
    }
  }
  memcpy(weights, buffer.data(), buffer.size());
}

void Reorder(const Matrix& matrix, bool is_back) {
  std::vector<uint8_t> buffer;
  for (size_t column = 0; column < matrix.columns; column += kColumns) {
    ReorderTile(matrix.elements + column * matrix.depth, matrix.depth / 2, is_back, buffer);
  }
}

void AddSums(const int8_t* weights, Matrix& matrix) {
  for (size_t column = 0; column < matrix.columns; ++column) {
    int32_t sum = 0;
    for (size_t k = 0; k < matrix.depth; ++k) sum += *weights++;
    matrix.minus_sums.push_back(-sum);
  }
}

size_t PackedStride(const xnn_gemm_config*, size_t, size_t, size_t, size_t) { return kTileBytes / kColumns; }

// Writes what tiles have next to their weights, and reorders these unless another operator did.
void Pack(uint32_t, const xnn_gemm_config*, size_t, size_t columns, size_t, size_t, size_t, const void*,
          const void* weights, xnn_init_scale_params_fn init_bias, const void* bias, size_t,
          xnn_init_scale_params_fn init_scale, const void* scale, size_t, void* packed, const void*) {
  Matrix& matrix = AllowedMatrices().at(weights);
  if (!matrix.is_reordered) {
    AddSums(static_cast<const int8_t*>(weights), matrix);
    Reorder(matrix, /*is_back=*/false);
    matrix.is_reordered = true;
  }
  auto* tile = static_cast<uint8_t*>(packed);
  uint8_t* const tail = tile + kColumns * sizeof(int32_t);
  if (scale != nullptr) init_scale(columns, kColumns, kTileBytes, scale, tail);
  if (bias != nullptr) init_bias(columns, kColumns, kTileBytes, bias, tail + kColumns * sizeof(float));
  for (size_t column = 0; column < columns; column += kColumns, tile += kTileBytes) {
    memcpy(tile, &matrix.minus_sums[column], kColumns * sizeof(int32_t));
    const uint8_t* first = matrix.elements + column * matrix.depth;
    memcpy(tile + kColumns * sizeof(int32_t) + kTailBytes, &first, sizeof(first));
  }
}

xnn_gemm_config InPlaceOf(const xnn_gemm_config& usual) {
  xnn_gemm_config config = usual;
  const auto use = [&config](size_t rows, xnn_dqgemm_ukernel_fn kernel) {
    std::fill_n(config.minmax.dqgemm[rows - 1].function, XNN_MAX_UARCH_TYPES, kernel);
  };
  use(1, (xnn_dqgemm_ukernel_fn)tflite_webnn_qd8_f32_qc8w_gemm_minmax_ukernel_1x8c2__wasmsimd_dot16x2_in_place);
  use(4, (xnn_dqgemm_ukernel_fn)tflite_webnn_qd8_f32_qc8w_gemm_minmax_ukernel_4x8c2__wasmsimd_dot16x2_in_place);
  config.pack_weights_and_biases = Pack;
  config.packed_stride_weights_and_biases = PackedStride;
  return config;
}

}  // namespace

WeightsInPlace::~WeightsInPlace() {
  for (void* weights : allowed_) AllowedMatrices().erase(weights);
}

bool WeightsInPlace::CanReorder(size_t columns, size_t depth) { return columns % kColumns == 0 && depth % 2 == 0; }

void WeightsInPlace::Allow(void* weights, size_t columns, size_t depth) {
  allowed_.push_back(weights);
  AllowedMatrices()[weights] = {static_cast<uint8_t*>(weights), columns, depth, false, {}};
}

bool WeightsInPlace::AreReordered(const void* weights) const {
  const auto found = AllowedMatrices().find(weights);
  return found != AllowedMatrices().end() && found->second.is_reordered;
}

void WeightsInPlace::UseOwnOrder(bool is_own) const {
  for (void* weights : allowed_) {
    const Matrix& matrix = AllowedMatrices().at(weights);
    if (matrix.is_reordered) Reorder(matrix, is_own);
  }
}

void WeightsInPlace::Restore() {
  UseOwnOrder(true);
  for (void* weights : allowed_) AllowedMatrices().erase(weights);
  allowed_.clear();
}

}  // namespace tflite::webnn

const xnn_gemm_config* tflite_webnn_qd8_f32_qc8w_gemm_config(const void* weights, size_t columns, size_t depth,
                                                             bool is_transposed, const xnn_gemm_config* usual) {
  using namespace tflite::webnn;
  // Kernels for dot products have another order.
  if (usual == nullptr || is_transposed || usual->log2_kr != 1) return usual;
  const auto found = AllowedMatrices().find(weights);
  if (found == AllowedMatrices().end()) return usual;
  if (found->second.columns != columns || found->second.depth != depth) return usual;
  static const xnn_gemm_config in_place = InPlaceOf(*usual);
  return &in_place;
}
