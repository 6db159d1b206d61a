#include "runtime/runner_error.h"

#include <cstdio>

#include "delegate/graph/json_writer.h"

namespace tflite::webnn {

std::string RunnerError::ToJson() const {
  if (ok()) return "";
  JsonWriter json;
  json.BeginObject();
  json.Key("code");
  json.String(code);
  json.Key("message");
  json.String(message);
  json.Key("details");
  json.BeginObject();
  for (const auto& [key, value] : details) {
    json.Key(key);
    json.String(value);
  }
  json.EndObject();
  json.EndObject();
  return json.Take();
}

int CollectingReporter::Report(const char* format, va_list args) {
  char line[1024];
  const int length = std::vsnprintf(line, sizeof(line), format, args);
  if (!text_.empty()) text_ += "; ";
  text_ += line;
  while (text_.ends_with('\n')) text_.pop_back();
  return length;
}

}  // namespace tflite::webnn
