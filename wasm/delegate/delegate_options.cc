#include "delegate/delegate_options.h"

#include <utility>

#include "support/json_writer.h"
#include "support/text.h"

namespace tflite::webnn {
namespace {

struct OptionType {
  const char* name;
  const char* expected;
};

// In the order of DelegateOption::Value.
constexpr OptionType kTypes[] = {
    {"choice", "one of "},
    {"count", "an integer, 0 or more"},
    {"flag", "true or false"},
    {"ops", "TFLite ops with commas in between"},
    {"nodes", "indices of nodes with commas in between"},
    {"text", "text"},
    {"workarounds", "all, or ids of workarounds with commas in between"},
};

bool Parse(std::string_view text, const OptionRow& row, Choice* choice) {
  for (choice->number = 0; choice->number < row.choices.size(); ++choice->number) {
    if (text == row.choices[choice->number] || text == std::to_string(choice->number)) return true;
  }
  return false;
}

bool Parse(std::string_view text, const OptionRow&, int* count) { return ParseNumber(text, count) && *count >= 0; }

bool Parse(std::string_view text, const OptionRow&, bool* flag) {
  *flag = text == "true" || text == "1";
  return *flag || text == "false" || text == "0";
}

bool Parse(std::string_view text, const OptionRow&, OpNames* names) {
  names->clear();
  for (std::string_view name : SplitText(text, ',')) names->emplace(name);
  return true;
}

bool Parse(std::string_view text, const OptionRow& row, NodeIndices* nodes) {
  nodes->clear();
  for (std::string_view node : SplitText(text, ',')) {
    int index = 0;
    if (!Parse(node, row, &index)) return false;
    nodes->insert(index);
  }
  return true;
}

bool Parse(std::string_view text, const OptionRow&, std::string* value) {
  *value = text;
  return true;
}

bool Parse(std::string_view text, const OptionRow&, Workarounds* workarounds) { return workarounds->Parse(text); }

const char* ScopeName(OptionScope scope) {
  switch (scope) {
    case OptionScope::kContext:
      return "context";
    case OptionScope::kDelegate:
      return "delegate";
    case OptionScope::kRuntime:
      return "runtime";
  }
}

}  // namespace

DelegateOption::DelegateOption(std::vector<DelegateOption*>& all, const OptionRow& row, Value value)
    : row_(row), value_(std::move(value)) {
  all.push_back(this);
  Set(row.default_value);
}

const char* DelegateOption::type() const { return kTypes[value_.index()].name; }

std::string DelegateOption::expected() const {
  std::string text = kTypes[value_.index()].expected;
  for (size_t i = 0; i < row_.choices.size(); ++i) {
    text.append(i == 0 ? "" : ", ").append(row_.choices[i]).append(" (").append(1, '0' + i).append(")");
  }
  return text;
}

bool DelegateOption::Set(std::string_view text) {
  return std::visit([&](auto& value) { return Parse(text, row_, &value); }, value_);
}

Status DelegateOptions::Set(std::string_view name, std::string_view text) {
  for (DelegateOption* option : all_) {
    if (name != option->row().name) continue;
    if (option->Set(text)) return {};
    return Error(error_code::kInvalidOption, "'", text, "' is not ", option->expected());
  }
  return {error_code::kInvalidOption, "no such option"};
}

std::string DescribeDelegateOptions() {
  const DelegateOptions options;
  JsonWriter json;
  json.BeginArray();
  for (const DelegateOption* option : options.all()) {
    json.NewLine();
    json.BeginObject();
    json.Field("name", option->row().name);
    json.Field("type", option->type());
    json.BeginArray("choices");
    for (const char* choice : option->row().choices) json.Value(choice);
    json.EndArray();
    json.Field("scope", ScopeName(option->row().scope));
    json.Field("default", option->row().default_value);
    json.Field("text", option->row().text);
    json.EndObject();
  }
  json.EndArray();
  return json.Take();
}

}  // namespace tflite::webnn
