#ifndef TFLITE_WEBNN_SUPPORT_TEXT_H_
#define TFLITE_WEBNN_SUPPORT_TEXT_H_

#include <charconv>
#include <ranges>
#include <string_view>
#include <system_error>
#include <vector>

namespace tflite::webnn {

// The non-empty fields of `text` between `separator`s, as views into it.
inline std::vector<std::string_view> SplitText(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  for (const auto field : std::views::split(text, separator)) {
    if (!field.empty()) fields.emplace_back(field.begin(), field.end());
  }
  return fields;
}

// False if the text is not a number of this type, and nothing else.
template <typename Number>
bool ParseNumber(std::string_view text, Number* number) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, *number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_SUPPORT_TEXT_H_
