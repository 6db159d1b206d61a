// uint8 rows, weights and outputs, with one scale for all columns.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "src/xnnpack/microparams.h"
#include "xnnpack_kernels/dot16x2_gemm.h"
#include "xnnpack_kernels/dot16x2_tile.h"
#include "xnnpack_kernels/requantization.h"

namespace tflite::webnn::kernels {
namespace {

class Qu8Output {
 public:
  using Value = uint8_t;
  static constexpr size_t kTailBytes = 0;

  explicit Qu8Output(const xnn_qu8_conv_minmax_params& params)
      : rounding_(params.fp32_scalar.output_zero_point, params.fp32_scalar.output_min, params.fp32_scalar.output_max),
        scale_(wasm_f32x4_splat(params.fp32_scalar.scale)),
        zero_point_(wasm_i16x8_splat(static_cast<int16_t>(params.fp32_scalar.kernel_zero_point))) {}

  template <int kRows>
  void Start(const uint8_t* packed, Accumulators<kRows>& sums) const {
    StartFromBias(packed, sums);
  }

  v128_t Widen(const uint8_t* packed) const { return wasm_i16x8_sub(wasm_u16x8_load8x8(packed), zero_point_); }

  void Store(const v128_t (&sums)[2], size_t, const uint8_t*, uint8_t* target, size_t columns) const {
    const v128_t low = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[0]), scale_);
    const v128_t high = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[1]), scale_);
    StoreBytes(rounding_.ToUint8(low, high), target, columns);
  }

 private:
  const Rounding rounding_;
  const v128_t scale_;
  const v128_t zero_point_;
};

}  // namespace
}  // namespace tflite::webnn::kernels

using tflite::webnn::kernels::Gemm;
using tflite::webnn::kernels::Igemm;
using tflite::webnn::kernels::Qu8Output;

extern "C" {

TFLITE_WEBNN_DEFINE_GEMM(qu8, 1, uint8_t, xnn_qu8_conv_minmax_params, Qu8Output)
TFLITE_WEBNN_DEFINE_GEMM(qu8, 4, uint8_t, xnn_qu8_conv_minmax_params, Qu8Output)

}  // extern "C"
