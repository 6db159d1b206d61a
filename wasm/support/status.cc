#include "support/status.h"

#include "support/json_writer.h"

namespace tflite::webnn {

namespace {

std::string JoinParts(std::initializer_list<MessagePart> parts) {
  std::string message;
  for (const auto& [text, value] : parts) message += text == nullptr ? std::to_string(value) : std::string(text, value);
  return message;
}

}  // namespace

Status::Status(const char* code, std::string message, Details details)
    : content_(new Content{code, std::move(message), std::move(details)}) {}

Status::Status(const char* code, std::initializer_list<MessagePart> message) : Status(code, JoinParts(message)) {}

Status& Status::operator=(Status&&) noexcept = default;

Status::~Status() = default;

void Status::AddPrefix(std::initializer_list<MessagePart> prefix) { content_->message.insert(0, JoinParts(prefix)); }

Status InvalidOption(std::string_view option, std::initializer_list<MessagePart> reason) {
  const std::string name(option);
  return {error_code::kInvalidOption, "option '" + name + "': " + JoinParts(reason), {{"option", name}}};
}

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
