#ifndef TFLITE_WEBNN_COMPAT_CPU_BACKEND_GEMM_RUY_H_
#define TFLITE_WEBNN_COMPAT_CPU_BACKEND_GEMM_RUY_H_

// In the place of TFLite's file: cpu_backend_gemm.h multiplies all matrices by this.
#include <cstdint>
#include <type_traits>

#include "matrix_products.h"
#include "tensorflow/lite/kernels/cpu_backend_context.h"
#include "tensorflow/lite/kernels/cpu_backend_gemm_params.h"

namespace tflite::cpu_backend_gemm::detail {

// All callers store the right matrix and the output by columns, and the left one by rows if it has integers.
template <typename Lhs, typename Rhs, typename Sum, typename Output, QuantizationFlavor flavor>
struct GemmImplUsingRuy {
  static void Run(const MatrixParams<Lhs>& lhs_params, const Lhs* lhs, const MatrixParams<Rhs>& rhs_params,
                  const Rhs* rhs, const MatrixParams<Output>& output_params, Output* output,
                  const GemmParams<Sum, Output, flavor>& params, CpuBackendContext*) {
    if constexpr (std::is_floating_point_v<Output>) {
      const webnn::FloatProduct product = {
          .rows = lhs_params.rows,
          .depth = lhs_params.cols,
          .columns = rhs_params.cols,
          .is_lhs_transposed = lhs_params.order == Order::kColMajor,
          .bias = params.bias,
          .min = params.clamp_min,
          .max = params.clamp_max,
      };
      webnn::Multiply(product, lhs, rhs, output);
    } else {
      const bool is_per_row = params.multiplier_fixedpoint_perchannel != nullptr;
      const int32_t* multipliers = is_per_row ? params.multiplier_fixedpoint_perchannel : &params.multiplier_fixedpoint;
      const webnn::IntegerProduct product = {
          .rows = lhs_params.rows,
          .depth = lhs_params.cols,
          .columns = rhs_params.cols,
          .lhs_zero_point = lhs_params.zero_point,
          .rhs_zero_point = rhs_params.zero_point,
          .output_zero_point = output_params.zero_point,
          .bias = params.bias,
          .multipliers = std::is_same_v<Output, int32_t> ? nullptr : multipliers,
          .exponents = is_per_row ? params.multiplier_exponent_perchannel : &params.multiplier_exponent,
          .is_per_row = is_per_row,
          .min = params.clamp_min,
          .max = params.clamp_max,
      };
      webnn::Multiply(product, lhs, rhs, output);
    }
  }
};

}  // namespace tflite::cpu_backend_gemm::detail

#endif  // TFLITE_WEBNN_COMPAT_CPU_BACKEND_GEMM_RUY_H_
