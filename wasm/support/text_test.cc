#include "support/text.h"

#include <gtest/gtest.h>

namespace tflite::webnn {
namespace {

using Fields = std::vector<std::string_view>;

TEST(SplitTextTest, LeavesOutEmptyFields) {
  EXPECT_EQ(SplitText(",a,,bc,", ','), (Fields{"a", "bc"}));
  EXPECT_EQ(SplitText(",,", ','), Fields());
  EXPECT_EQ(SplitText("", ','), Fields());
}

TEST(SplitTextTest, KeepsOtherSeparators) { EXPECT_EQ(SplitText("a b\nc", '\n'), (Fields{"a b", "c"})); }

}  // namespace
}  // namespace tflite::webnn
