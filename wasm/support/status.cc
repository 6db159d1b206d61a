#include "support/status.h"

#include "support/json_writer.h"

namespace tflite::webnn {

std::string Status::ToJson() const {
  if (ok()) return "";
  JsonWriter json;
  json.BeginObject();
  json.Field("code", code);
  json.Field("message", message);
  json.BeginObject("details");
  for (const auto& [key, value] : details) {
    json.Field(key, value);
  }
  json.EndObject();
  json.EndObject();
  return json.Take();
}

}  // namespace tflite::webnn
