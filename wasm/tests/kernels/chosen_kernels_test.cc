// XNNPACK's configurations name the kernels that wasm/third_party/patches/xnnpack chooses.
#include <gtest/gtest.h>

#include "src/xnnpack/config.h"
#include "src/xnnpack/packw.h"
#include "xnnpack_kernels/dot16x2_gemm.h"
#include "xnnpack_kernels/dwconv.h"
#include "xnnpack_kernels/f32_conv_hwc2chw.h"
#include "xnnpack_kernels/f32_gemm.h"

namespace {

template <typename Function>
const void* Address(Function* function) {
  return reinterpret_cast<const void*>(function);
}

TEST(ChosenKernelsTest, DepthwiseConvolutions) {
  const xnn_dwconv_config* f32 = xnn_init_f32_dwconv_config();
  EXPECT_EQ(Address(f32[2].minmax), Address(tflite_webnn_f32_dwconv_minmax_ukernel_9p8c__wasm));
  EXPECT_EQ(Address(f32[XNN_MAX_F32_DWCONV_UKERNELS].minmax),
            Address(tflite_webnn_f32_dwconv_minmax_ukernel_49p8c__wasm));
  const xnn_dwconv_config* qs8 = xnn_init_qs8_qc8w_dwconv_config();
  EXPECT_EQ(Address(qs8[1].minmax), Address(tflite_webnn_qs8_qc8w_dwconv_minmax_fp32_ukernel_9p8c__wasm));
  const xnn_dwconv_config* qu8 = xnn_init_qu8_dwconv_config();
  EXPECT_EQ(Address(qu8[0].minmax), Address(tflite_webnn_qu8_dwconv_minmax_fp32_ukernel_9p8c__wasm));
}

TEST(ChosenKernelsTest, FloatProducts) {
  EXPECT_EQ(Address(xnn_init_f32_gemm_config(0)->pack_gemm_gio),
            Address(xnn_x32_packw_gemm_gio_ukernel_x8__wasmsimd_u2));
}

TEST(ChosenKernelsTest, IntegerProducts) {
  constexpr int kRows = XNN_MR_TO_INDEX(4);
  EXPECT_EQ(Address(xnn_init_qs8_qc8w_gemm_config()->minmax.gemm[kRows].function[XNN_UARCH_DEFAULT]),
            Address(tflite_webnn_qs8_qc8w_gemm_minmax_fp32_ukernel_4x8c2__wasmsimd_dot16x2));
  EXPECT_EQ(Address(xnn_init_qu8_gemm_config()->minmax.gemm[kRows].function[XNN_UARCH_DEFAULT]),
            Address(tflite_webnn_qu8_gemm_minmax_fp32_ukernel_4x8c2__wasmsimd_dot16x2));
  EXPECT_EQ(Address(xnn_init_qd8_f32_qc8w_gemm_config()->minmax.dqgemm[kRows].function[XNN_UARCH_DEFAULT]),
            Address(tflite_webnn_qd8_f32_qc8w_gemm_minmax_ukernel_4x8c2__wasmsimd_dot16x2));
}

TEST(ChosenKernelsTest, ConvolutionsToPlanes) {
  EXPECT_EQ(Address(xnn_init_f32_conv_hwc2chw_3x3c3s2_config()->ukernel_with_symm_padding),
            Address(tflite_webnn_f32_conv_hwc2chw_ukernel_3x3s2p1c3x4__wasm));
}

}  // namespace
