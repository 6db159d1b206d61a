#include "support/status.h"

#include <gtest/gtest.h>

namespace tflite::webnn {
namespace {

TEST(StatusTest, SuccessIsNoJson) {
  EXPECT_TRUE(Status().ok());
  EXPECT_EQ(Status().ToJson(), "");
}

TEST(StatusTest, ErrorHasItsCodeMessageAndDetails) {
  const Status status{error_code::kInvalidOption, "option \"x\" is unknown", {{"option", "x"}, {"hint", "y\n"}}};
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(
      status.ToJson(),
      R"({"code":"INVALID_OPTION","message":"option \"x\" is unknown","details":{"hint":"y\u000a","option":"x"}})");
}

TEST(StatusTest, DetailsMayBeEmpty) {
  const Status status{error_code::kInvokeFailed, "m", {}};
  EXPECT_EQ(status.ToJson(), R"({"code":"INVOKE_FAILED","message":"m","details":{}})");
}

}  // namespace
}  // namespace tflite::webnn
