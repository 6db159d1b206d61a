#ifndef TFLITE_WEBNN_SUPPORT_JSON_WRITER_H_
#define TFLITE_WEBNN_SUPPORT_JSON_WRITER_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tflite::webnn {

// Appends JSON to a string and writes the commas. Calls must nest as the JSON does:
//   JsonWriter json;
//   json.BeginObject();
//   json.Field("shape", shape);
//   json.EndObject();
class JsonWriter {
 public:
  void BeginObject() { Open('{'); }
  void BeginObject(std::string_view key) { Key(key), BeginObject(); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void BeginArray(std::string_view key) { Key(key), BeginArray(); }
  void EndArray() { Close(']'); }
  // Starts a new line before the next element, to keep long arrays readable and diffable.
  void NewLine();

  void Key(std::string_view key);
  void Value(std::string_view value);
  void Value(const char* value) { Value(std::string_view(value)); }
  void Value(std::nullptr_t);
  // Infinities, which JSON has no number for, become the strings "Infinity" and "-Infinity".
  void Value(double value);
  template <std::integral T>
  void Value(T value) {
    Literal(std::is_same_v<T, bool> ? (value ? "true" : "false") : std::to_string(value));
  }
  template <std::ranges::range T>
    requires(!std::is_convertible_v<const T&, std::string_view>)
  void Value(const T& values) {
    BeginArray();
    for (const auto& value : values) Value(value);
    EndArray();
  }
  void Field(std::string_view key, const auto& value) { Key(key), Value(value); }

  // "" if the text got too long for JavaScript's strings and for the heap.
  std::string Take() { return is_too_long_ ? "" : std::move(text_); }

  static constexpr size_t kMaxBytes = size_t{128} << 20;

 private:
  void Open(char bracket);
  void Close(char bracket);
  void BeginValue();
  void Literal(std::string_view text);

  std::string text_;
  bool needs_comma_ = false;
  bool is_too_long_ = false;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_SUPPORT_JSON_WRITER_H_
