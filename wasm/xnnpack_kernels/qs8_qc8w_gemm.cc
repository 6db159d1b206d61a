// int8 rows, int8 weights with a scale per column, int8 outputs.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "src/xnnpack/microparams.h"
#include "xnnpack_kernels/dot16x2_gemm.h"
#include "xnnpack_kernels/dot16x2_tile.h"
#include "xnnpack_kernels/requantization.h"

namespace tflite::webnn::kernels {
namespace {

class Qs8Output {
 public:
  using Value = int8_t;
  static constexpr size_t kTailBytes = kColumns * sizeof(float);

  explicit Qs8Output(const xnn_qs8_qc8w_conv_minmax_params& params)
      : rounding_(params.fp32_scalar.output_zero_point, params.fp32_scalar.output_min, params.fp32_scalar.output_max) {}

  template <int kRows>
  void Start(const uint8_t* packed, Accumulators<kRows>& sums) const {
    StartFromBias(packed, sums);
  }

  v128_t Widen(const uint8_t* packed) const { return wasm_i16x8_load8x8(packed); }

  void Store(const v128_t (&sums)[2], size_t, const uint8_t* scales, int8_t* target, size_t columns) const {
    const v128_t low = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[0]), wasm_v128_load(scales));
    const v128_t high = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[1]), wasm_v128_load(scales + 16));
    StoreBytes(rounding_.ToInt8(low, high), target, columns);
  }

 private:
  const Rounding rounding_;
};

}  // namespace
}  // namespace tflite::webnn::kernels

using tflite::webnn::kernels::Gemm;
using tflite::webnn::kernels::Igemm;
using tflite::webnn::kernels::Qs8Output;

extern "C" {

TFLITE_WEBNN_DEFINE_GEMM(qs8_qc8w, 1, int8_t, xnn_qs8_qc8w_conv_minmax_params, Qs8Output)
TFLITE_WEBNN_DEFINE_GEMM(qs8_qc8w, 4, int8_t, xnn_qs8_qc8w_conv_minmax_params, Qs8Output)

}  // extern "C"
