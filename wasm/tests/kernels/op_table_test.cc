// The op table has the kernels of TFLite's own list, in the same versions.
#include "tflite_kernels/op_table.h"

#include <gtest/gtest.h>

#include "tensorflow/lite/core/kernels/register.h"
#include "tflite_kernels/op_resolver.h"

namespace tflite::webnn {
namespace {

constexpr int kMaxVersion = 40;

TEST(OpTableTest, VersionsAreThoseOfTflite) {
  const ops::builtin::BuiltinOpResolverWithoutDefaultDelegates expected;
  MutableOpResolver actual;
  AddOps(actual);
  for (const BuiltinOperator op : EnumValuesBuiltinOperator()) {
    for (int version = 1; version <= kMaxVersion; ++version) {
      EXPECT_EQ(actual.FindOp(op, version) != nullptr, expected.FindOp(op, version) != nullptr)
          << EnumNameBuiltinOperator(op) << " version " << version
          << ": change its line in tflite_kernels/op_table.def";
    }
  }
}

TEST(OpTableTest, EachOpHasItsLine) {
  MutableOpResolver resolver;
  AddOps(resolver);
  for (const OpInfo& op : AllOps()) {
    const bool is_custom = op.custom_name != nullptr;
    const auto* kernel = is_custom ? resolver.FindOp(op.custom_name, op.min_version)
                                   : resolver.FindOp(BuiltinOperator(op.builtin_code), op.min_version);
    EXPECT_NE(kernel, nullptr) << int{op.builtin_code};
    EXPECT_EQ(FindOpInfo(op.builtin_code, op.custom_name), &op) << int{op.builtin_code};
  }
}

}  // namespace
}  // namespace tflite::webnn
