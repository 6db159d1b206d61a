#ifndef TFLITE_WEBNN_SUPPORT_JSON_WRITER_H_
#define TFLITE_WEBNN_SUPPORT_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace tflite::webnn {

// Appends JSON to a string and places the commas. Calls must nest as the JSON does:
//   JsonWriter json;
//   json.BeginObject();
//   json.Key("shape"); json.IntArray(shape);
//   json.EndObject();
class JsonWriter {
 public:
  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  // Starts a new line before the next element, to keep long arrays readable and diffable.
  void NewLine();

  void Key(std::string_view key);
  void String(std::string_view value);
  void Int(int64_t value);
  void Bool(bool value);
  void Null();
  // Infinities, which JSON has no number for, become the strings "Infinity" and "-Infinity".
  void Float(double value);

  template <typename Range>
  void IntArray(const Range& values) {
    BeginArray();
    for (const auto value : values) Int(value);
    EndArray();
  }

  // "" if the text got too long for JavaScript's strings and for the heap.
  std::string Take() { return is_too_long_ ? "" : std::move(text_); }

  static constexpr size_t kMaxBytes = size_t{128} << 20;

 private:
  void Open(char bracket);
  void Close(char bracket);
  void BeginValue();

  std::string text_;
  bool needs_comma_ = false;
  bool is_too_long_ = false;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_SUPPORT_JSON_WRITER_H_
