#include "support/status.h"

#include "support/json_writer.h"

namespace tflite::webnn {

std::string Status::ToJson() const {
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

}  // namespace tflite::webnn
