#ifndef TFLITE_WEBNN_SUPPORT_TEXT_H_
#define TFLITE_WEBNN_SUPPORT_TEXT_H_

#include <string_view>
#include <vector>

namespace tflite::webnn {

// The non-empty fields of `text` between `separator`s, as views into it.
inline std::vector<std::string_view> SplitText(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find(separator, begin);
    if (end == std::string_view::npos) end = text.size();
    if (end > begin) fields.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_SUPPORT_TEXT_H_
