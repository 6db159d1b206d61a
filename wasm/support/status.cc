#include "support/status.h"

#include "support/json_writer.h"

namespace tflite::webnn {

std::string JoinParts(std::initializer_list<MessagePart> parts) {
  std::string message;
  for (const auto& [text, value] : parts) message += text == nullptr ? std::to_string(value) : std::string(text, value);
  return message;
}

Status::Status(const char* code, std::string message, Details details)
    : content_(new Content{code, std::move(message), std::move(details)}) {}

Status& Status::operator=(Status&&) noexcept = default;

Status::~Status() = default;

std::string Status::ToJson() const {
  if (ok()) return "";
  JsonWriter json;
  json.BeginObject();
  json.Field("code", content_->code);
  json.Field("message", content_->message);
  json.BeginObject("details");
  for (const auto& [key, value] : content_->details) {
    json.Field(key, value);
  }
  json.EndObject();
  json.EndObject();
  return json.Take();
}

}  // namespace tflite::webnn
