// Rows quantized at run time, int8 weights with a scale per column, float outputs.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "xnnpack_kernels/dot16x2_gemm.h"
#include "xnnpack_kernels/dot16x2_tile.h"
#include "xnnpack_kernels/qd8_output.h"

namespace tflite::webnn::kernels {
namespace {

class DynamicOutput : public Qd8Output {
 public:
  static constexpr size_t kTailBytes = 2 * kColumns * sizeof(float);

  DynamicOutput(const xnn_f32_minmax_params& limits, const xnn_qd8_quantization_params* quantization, size_t row_count)
      : Qd8Output(limits.scalar.min, limits.scalar.max, quantization, row_count) {}

  // The packed int32 are minus the sums of the columns' weights.
  template <int kRows>
  void Start(const uint8_t* packed, Accumulators<kRows>& sums) const {
#pragma clang loop unroll(full)
    for (size_t row = 0; row < kRows; ++row) {
      const v128_t zero_point = wasm_i32x4_splat(ZeroPoint(row));
      sums[row][0] = wasm_i32x4_mul(wasm_v128_load(packed), zero_point);
      sums[row][1] = wasm_i32x4_mul(wasm_v128_load(packed + 16), zero_point);
    }
  }

  v128_t Widen(const uint8_t* packed) const { return wasm_i16x8_load8x8(packed); }

  void Store(const v128_t (&sums)[2], size_t row, const uint8_t* tail, float* target, size_t columns) const {
    StoreLimited(Scaled(sums[0], row, tail), Scaled(sums[1], row, tail + 16), target, columns);
  }

 private:
  // The order of XNNPACK's kernels, for their bits.
  v128_t Scaled(v128_t sums, size_t row, const uint8_t* tail) const {
    v128_t values = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums), Scale(row));
    values = wasm_f32x4_mul(values, wasm_v128_load(tail));
    return wasm_f32x4_add(values, wasm_v128_load(tail + kColumns * sizeof(float)));
  }
};

}  // namespace
}  // namespace tflite::webnn::kernels

using tflite::webnn::kernels::DynamicOutput;
using tflite::webnn::kernels::Gemm;
using tflite::webnn::kernels::Igemm;

extern "C" {

#define TFLITE_WEBNN_QD8_GEMM(rows, suffix, in_place)                                                               \
  void tflite_webnn_qd8_f32_qc8w_gemm_minmax_ukernel_##rows##x8c2__wasmsimd_dot16x2##suffix(                        \
      size_t mr, size_t nc, size_t kc, const int8_t* a, size_t a_stride, const void* w, float* c, size_t cm_stride, \
      size_t cn_stride, const xnn_f32_minmax_params* params, const xnn_qd8_quantization_params* quantization) {     \
    Gemm<rows, in_place>(mr, nc, kc, a, a_stride, w, c, cm_stride, cn_stride,                                       \
                         DynamicOutput(*params, quantization, mr));                                                 \
  }

#define TFLITE_WEBNN_QD8_IGEMM(rows)                                                                           \
  void tflite_webnn_qd8_f32_qc8w_igemm_minmax_ukernel_##rows##x8c2__wasmsimd_dot16x2(                          \
      size_t mr, size_t nc, size_t kc, size_t ks, const int8_t** a, const void* w, float* c, size_t cm_stride, \
      size_t cn_stride, size_t a_offset, const int8_t* zero, const int8_t* zero_data,                          \
      const xnn_f32_minmax_params* params, const xnn_qd8_quantization_params* quantization) {                  \
    Igemm<rows>(mr, nc, kc, ks, a, w, c, cm_stride, cn_stride, a_offset, zero, zero_data,                      \
                DynamicOutput(*params, quantization, 1));                                                      \
  }

TFLITE_WEBNN_QD8_GEMM(1, , false)
TFLITE_WEBNN_QD8_GEMM(4, , false)
TFLITE_WEBNN_QD8_GEMM(1, _in_place, true)
TFLITE_WEBNN_QD8_GEMM(4, _in_place, true)
TFLITE_WEBNN_QD8_IGEMM(1)
TFLITE_WEBNN_QD8_IGEMM(4)

}  // extern "C"
