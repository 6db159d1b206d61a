// XNNPACK's cases for GEMM and IGEMM kernels, with this project's kernels in place of XNNPACK's.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/xnnpack/allocator.h"
#include "src/xnnpack/common.h"
#include "src/xnnpack/gemm.h"
#include "src/xnnpack/hardware-config.h"
#include "src/xnnpack/igemm.h"
#include "src/xnnpack/microparams-init.h"
#include "src/xnnpack/pack-lh.h"
#include "src/xnnpack/pack.h"
#include "src/xnnpack/packw.h"
#include "src/xnnpack/ppmm.h"
#include "src/xnnpack/requantization.h"
#include "test/gemm-microkernel-tester.h"
#include "test/next_prime.h"
#include "xnnpack_kernels/dot16x2_gemm.h"

// Each file has functions of the same names, and a suite for each of XNNPACK's kernels, which are left out.
#pragma push_macro("INSTANTIATE_TEST_SUITE_P")
#undef INSTANTIATE_TEST_SUITE_P
#define INSTANTIATE_TEST_SUITE_P(...)
namespace qs8_gemm {
#include "test/qs8-qc8w-gemm-minmax-fp32.cc"
}  // namespace qs8_gemm
namespace qs8_igemm {
#include "test/qs8-qc8w-igemm-minmax-fp32.cc"
}  // namespace qs8_igemm
namespace qu8_gemm {
#include "test/qu8-gemm-minmax-fp32.cc"
}  // namespace qu8_gemm
namespace qu8_igemm {
#include "test/qu8-igemm-minmax-fp32.cc"
}  // namespace qu8_igemm
namespace qd8_gemm {
#include "test/qd8-f32-qc8w-gemm-minmax.cc"
}  // namespace qd8_gemm
namespace qd8_igemm {
#include "test/qd8-f32-qc8w-igemm-minmax.cc"
}  // namespace qd8_igemm
#pragma pop_macro("INSTANTIATE_TEST_SUITE_P")

// Of a kernel with the provided rows; what follows are the arguments of Test() behind the kernel.
#define ADD_SUITE(cases, kernel, rows, is_igemm, ...)                                                        \
  INSTANTIATE_TEST_SUITE_P(kernel##_##rows##x8c2, GemmTest,                                                  \
                           testing::ValuesIn(cases::CreateTests1(                                            \
                               8, 8, rows, 8, 2, 1, is_igemm, false, 1,                                      \
                               [](GemmMicrokernelTester& tester) {                                           \
                                 tester.Test(tflite_webnn_##kernel##_ukernel_##rows##x8c2__wasmsimd_dot16x2, \
                                             __VA_ARGS__);                                                   \
                               })),                                                                          \
                           [](const auto& info) { return info.param.test_name; })
#define ADD_SUITES(cases, kernel, is_igemm, ...)      \
  ADD_SUITE(cases, kernel, 1, is_igemm, __VA_ARGS__); \
  ADD_SUITE(cases, kernel, 4, is_igemm, __VA_ARGS__)

ADD_SUITES(qs8_gemm, qs8_qc8w_gemm_minmax_fp32, false, xnn_init_qs8_qc8w_conv_minmax_fp32_scalar_params,
           xnn_pack_qs8_gemm_goi_w, xnn_qs8_requantize_fp32);
ADD_SUITES(qu8_gemm, qu8_gemm_minmax_fp32, false, xnn_init_qu8_conv_minmax_fp32_scalar_params, xnn_pack_qu8_gemm_goi_w,
           xnn_qu8_requantize_fp32);
ADD_SUITES(qd8_gemm, qd8_f32_qc8w_gemm_minmax, false, xnn_init_f32_minmax_scalar_params, xnn_pack_qs8_gemm_goi_w);
ADD_SUITES(qs8_igemm, qs8_qc8w_igemm_minmax_fp32, true, xnn_init_qs8_qc8w_conv_minmax_fp32_scalar_params,
           xnn_pack_qs8_conv_goki_w, xnn_qs8_requantize_fp32);
ADD_SUITES(qu8_igemm, qu8_igemm_minmax_fp32, true, xnn_init_qu8_conv_minmax_fp32_scalar_params,
           xnn_pack_qu8_conv_goki_w, xnn_qu8_requantize_fp32);
ADD_SUITES(qd8_igemm, qd8_f32_qc8w_igemm_minmax, true, xnn_init_f32_minmax_scalar_params, xnn_pack_qs8_conv_goki_w);
