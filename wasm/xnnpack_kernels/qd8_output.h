#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_QD8_OUTPUT_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_QD8_OUTPUT_H_

#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "xnnpack_kernels/dot16x2_tile.h"
#include "xnnpack_kernels/floats.h"

namespace tflite::webnn::kernels {

// Float outputs of rows that are quantized at run time.
class Qd8Output {
 public:
  using Value = float;

  // `row_count` rows have a quantization each; with one, it is that of all rows.
  Qd8Output(const float& min, const float& max, const xnn_qd8_quantization_params* quantization, size_t row_count)
      : min_(wasm_v128_load32_splat(&min)),
        max_(wasm_v128_load32_splat(&max)),
        quantization_(quantization),
        last_(row_count - 1) {}

 protected:
  int32_t ZeroPoint(size_t row) const { return quantization_[std::min(row, last_)].zero_point; }
  v128_t Scale(size_t row) const { return wasm_f32x4_splat(quantization_[std::min(row, last_)].inv_scale); }

  void StoreLimited(v128_t low, v128_t high, float* target, size_t columns) const {
    low = wasm_f32x4_pmin(wasm_f32x4_pmax(low, min_), max_);
    high = wasm_f32x4_pmin(wasm_f32x4_pmax(high, min_), max_);
    if (columns == kColumns) {
      wasm_v128_store(target, low);
      wasm_v128_store(target + 4, high);
      return;
    }
    StoreFloats(low, target, std::min<size_t>(columns, 4));
    if (columns > 4) StoreFloats(high, target + 4, columns - 4);
  }

 private:
  const v128_t min_;
  const v128_t max_;
  const xnn_qd8_quantization_params* const quantization_;
  const size_t last_;
};

}  // namespace tflite::webnn::kernels

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_QD8_OUTPUT_H_
