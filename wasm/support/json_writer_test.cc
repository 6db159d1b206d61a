#include "support/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace tflite::webnn {
namespace {

std::string StringAsJson(std::string_view text) {
  JsonWriter json;
  json.Value(text);
  return json.Take();
}

TEST(JsonWriterTest, WritesCommasBetweenElements) {
  JsonWriter json;
  json.BeginObject();
  json.Key("shape");
  json.Value(std::vector<int>{1, -2, 3});
  json.Key("empty");
  json.BeginArray();
  json.EndArray();
  json.Key("flags");
  json.BeginArray();
  json.Value(true);
  json.Value(nullptr);
  json.BeginObject();
  json.EndObject();
  json.EndArray();
  json.EndObject();
  EXPECT_EQ(json.Take(), R"({"shape":[1,-2,3],"empty":[],"flags":[true,null,{}]})");
}

TEST(JsonWriterTest, NewLineFollowsTheComma) {
  JsonWriter json;
  json.BeginArray();
  json.NewLine();
  json.Value(1);
  json.NewLine();
  json.Value(2);
  json.EndArray();
  EXPECT_EQ(json.Take(), "[\n1,\n2]");
}

TEST(JsonWriterTest, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(StringAsJson("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(StringAsJson(std::string_view("\0\x01\t\n\x1f\x7f", 6)), "\"\\u0000\\u0001\\u0009\\u000a\\u001f\x7f\"");
}

TEST(JsonWriterTest, KeysAreEscapedToo) {
  JsonWriter json;
  json.BeginObject();
  json.Key("\"");
  json.Value(1);
  json.EndObject();
  EXPECT_EQ(json.Take(), R"({"\"":1})");
}

TEST(JsonWriterTest, KeepsValidUtf8) {
  const std::string text = "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";  // e acute, euro sign, an emoji
  EXPECT_EQ(StringAsJson(text), "\"" + text + "\"");
}

TEST(JsonWriterTest, ReplacesInvalidUtf8ByteByByte) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(StringAsJson("a\xFFz"), "\"a" + replacement + "z\"");
  EXPECT_EQ(StringAsJson("\xC0\x80"), "\"" + replacement + replacement + "\"") << "an overlong encoding";
  EXPECT_EQ(StringAsJson("\xE2\x82"), "\"" + replacement + replacement + "\"") << "a sequence that the end cuts off";
  EXPECT_EQ(StringAsJson("\xC3\""), "\"" + replacement + "\\\"\"") << "a quote within a sequence";
}

TEST(JsonWriterTest, WritesFloatsThatReadBackAsTheSameFloat) {
  JsonWriter json;
  json.BeginArray();
  json.Value(0.1f);
  json.Value(-3);
  json.Value(std::numeric_limits<float>::denorm_min());
  json.EndArray();
  EXPECT_EQ(json.Take(), "[0.100000001,-3,1.40129846e-45]");
}

TEST(JsonWriterTest, WritesInfinitiesAndNanAsStrings) {
  JsonWriter json;
  json.BeginArray();
  json.Value(std::numeric_limits<double>::infinity());
  json.Value(-std::numeric_limits<double>::infinity());
  json.Value(std::numeric_limits<double>::quiet_NaN());
  json.EndArray();
  EXPECT_EQ(json.Take(), R"(["Infinity","-Infinity","NaN"])");
}

TEST(JsonWriterTest, WritesTheSmallestInt64) {
  JsonWriter json;
  json.Value(std::numeric_limits<int64_t>::min());
  EXPECT_EQ(json.Take(), "-9223372036854775808");
}

TEST(JsonWriterTest, TextBeyondTheLimitIsGivenUp) {
  JsonWriter json;
  const std::string long_text(JsonWriter::kMaxBytes, 'x');
  json.BeginArray();
  json.Value(long_text);
  json.Value(1);
  json.Value(2);
  json.EndArray();
  EXPECT_EQ(json.Take(), "");
}

}  // namespace
}  // namespace tflite::webnn
