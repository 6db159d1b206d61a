#include "support/json_writer.h"

#include <cmath>
#include <cstdio>

namespace tflite::webnn {
namespace {

// Names in models are UTF-8 by convention only: invalid bytes become U+FFFD, so that a malformed name
// cannot invalidate the entire JSON.
size_t Utf8SequenceLength(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                                                      : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

void AppendEscaped(std::string* out, std::string_view text) {
  size_t copied = 0;  // what needs no escape is appended in one piece
  for (size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const bool is_plain = c >= 0x20 && c != '"' && c != '\\';
    const size_t length = is_plain ? Utf8SequenceLength(text, i) : 0;
    if (length > 0) {
      i += length;
      continue;
    }
    out->append(text, copied, i - copied);
    if (is_plain) {
      *out += "\xEF\xBF\xBD";
    } else if (c < 0x20) {
      const char escape[] = {'\\', 'u', '0', '0', c < 0x10 ? '0' : '1', "0123456789abcdef"[c % 16]};
      out->append(escape, sizeof(escape));
    } else {
      *out += '\\';
      *out += text[i];
    }
    copied = ++i;
  }
  out->append(text, copied);
}

}  // namespace

void JsonWriter::BeginValue() {
  is_too_long_ = is_too_long_ || text_.size() > kMaxBytes;
  if (is_too_long_) text_.clear();
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

void JsonWriter::Open(char bracket) {
  BeginValue();
  text_ += bracket;
  needs_comma_ = false;
}

void JsonWriter::Close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
}

void JsonWriter::NewLine() {
  if (needs_comma_) text_ += ',';
  text_ += '\n';
  needs_comma_ = false;
}

void JsonWriter::Key(std::string_view key) {
  Value(key);
  text_ += ':';
  needs_comma_ = false;
}

void JsonWriter::Literal(std::string_view text) {
  BeginValue();
  text_ += text;
}

void JsonWriter::Value(std::string_view value) {
  BeginValue();
  if (is_too_long_) return;
  text_ += '"';
  AppendEscaped(&text_, value);
  text_ += '"';
}

void JsonWriter::Value(std::nullptr_t) { Literal("null"); }

void JsonWriter::Value(double value) {
  if (std::isinf(value)) return Value(value > 0 ? "Infinity" : "-Infinity");
  if (std::isnan(value)) return Value("NaN");
  char number[32];
  std::snprintf(number, sizeof(number), "%.9g", value);
  Literal(number);
}

}  // namespace tflite::webnn
