// Types of tensors reach XNNPACK's configurations (third_party/compat/selected_configs.h).
#include "third_party/compat/selected_configs.h"

#include <gtest/gtest.h>

namespace {

TEST(SelectedConfigsTest, TypesReachConfigurations) {
  EXPECT_TRUE(IsNeeded("_f32_gemm_", " FLOAT32 "));
  EXPECT_FALSE(IsNeeded("_f32_gemm_", " INT8 "));
  EXPECT_TRUE(IsNeeded("_qs8_qc8w_gemm_", " INT8 "));
  EXPECT_FALSE(IsNeeded("_qs8_qc8w_gemm_", " FLOAT32 "));
  EXPECT_FALSE(IsNeeded("_qs8_qc8w_gemm_", " UINT8 "));
  EXPECT_TRUE(IsNeeded("_qd8_f32_qc8w_gemm_", " FLOAT32 INT8 "));
  EXPECT_FALSE(IsNeeded("_qd8_f32_qc8w_gemm_", " FLOAT32 "));
  EXPECT_TRUE(IsNeeded("_qd8_f32_qc4w_gemm_", " FLOAT32 INT4 "));
  EXPECT_TRUE(IsNeeded("_f32_to_qs8_cvt_", " FLOAT32 INT8 "));
  EXPECT_TRUE(IsNeeded("_f16_to_f32_cvt_", " FLOAT16 FLOAT32 "));
  EXPECT_FALSE(IsNeeded("_pf16_gemm_", " FLOAT16 FLOAT32 "));
  EXPECT_TRUE(IsNeeded("_xx_copy_", " INT8 "));
  EXPECT_TRUE(IsNeeded("_transpose_", " INT8 "));
  EXPECT_TRUE(IsNeeded("_hardware_", " INT8 "));
}

TEST(SelectedConfigsTest, NoTypesAreAllTypes) { EXPECT_TRUE(IsNeeded("_pf16_gemm_", "  ")); }

}  // namespace
