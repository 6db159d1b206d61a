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

TEST(StatusTest, MessageConsistsOfTextsAndNumbers) {
  const Status status = Malformed("node ", 3, " (", std::string("PAD"), ") has ", int64_t{-1}, " inputs");
  EXPECT_STREQ(status.code(), error_code::kMalformedModel);
  EXPECT_EQ(status.message(), "node 3 (PAD) has -1 inputs");
}

TEST(StatusTest, PrefixComesBeforeTheMessageOfAnError) {
  EXPECT_EQ(Malformed("has no name").WithPrefix("tensor ", 7, " ").message(), "tensor 7 has no name");
  EXPECT_TRUE(Status().WithPrefix("tensor ", 7, " ").ok());
}

TEST(StatusTest, InvalidOptionNamesTheOption) {
  EXPECT_EQ(InvalidOption("x", "is ", 1).ToJson(),
            R"({"code":"INVALID_OPTION","message":"option 'x': is 1","details":{"option":"x"}})");
}

TEST(StatusTest, FailedCallEndsTheFunction) {
  const auto function = [](Status call) -> Status {
    RETURN_IF_ERROR(std::move(call));
    return Unsupported("went on");
  };
  EXPECT_EQ(function(Malformed("m")).message(), "m");
  EXPECT_EQ(function({}).message(), "went on");
}

TEST(StatusTest, ValueOrTheReasonWhyThereIsNone) {
  const StatusOr<int> value = 3, none = Malformed("m");
  EXPECT_TRUE(value.ok() && *value == 3);
  EXPECT_FALSE(none.ok());
  EXPECT_EQ(none.status.message(), "m");
}

TEST(StatusTest, DetailsMayBeEmpty) {
  const Status status{error_code::kInvokeFailed, "m", {}};
  EXPECT_EQ(status.ToJson(), R"({"code":"INVOKE_FAILED","message":"m","details":{}})");
}

}  // namespace
}  // namespace tflite::webnn
