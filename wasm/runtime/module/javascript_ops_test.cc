#include "runtime/module/javascript_ops.h"

#include <gtest/gtest.h>

#include <string>

#include "delegate/model/javascript_op.h"
#include "tflite_kernels/op_resolver.h"

namespace tflite::webnn {
namespace {

class JavascriptOpsTest : public testing::Test {
 protected:
  void SetUp() override {
    AddOps(resolver_);
    AddJavascriptOps(names_, resolver_);
  }

  std::string names_ = "MyOp\nFlexErf\nMfcc";
  MutableOpResolver resolver_;
};

TEST_F(JavascriptOpsTest, EachNameIsFoundInSeveralVersions) {
  for (const char* name : {"MyOp", "FlexErf"}) {
    for (const int version : {1, 7}) {
      const TfLiteRegistration* found = resolver_.FindOp(name, version);
      ASSERT_NE(found, nullptr) << name;
      EXPECT_TRUE(IsJavascriptOp(*found));
      EXPECT_STREQ(found->custom_name, name);
      EXPECT_EQ(found->builtin_code, BuiltinOperator_CUSTOM);
    }
  }
  EXPECT_EQ(resolver_.FindOp("Other", 1), nullptr);
}

TEST_F(JavascriptOpsTest, OtherOpsAreTheModules) {
  ASSERT_NE(resolver_.FindOp(BuiltinOperator_ADD, 1), nullptr);
  EXPECT_FALSE(IsJavascriptOp(*resolver_.FindOp(BuiltinOperator_ADD, 1)));
  ASSERT_NE(resolver_.FindOp("AudioSpectrogram", 1), nullptr);
  EXPECT_FALSE(IsJavascriptOp(*resolver_.FindOp("AudioSpectrogram", 1)));
}

TEST_F(JavascriptOpsTest, TheyReplaceOpsOfTheModule) { EXPECT_TRUE(IsJavascriptOp(*resolver_.FindOp("Mfcc", 1))); }

}  // namespace
}  // namespace tflite::webnn
