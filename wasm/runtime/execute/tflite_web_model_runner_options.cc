#include "runtime/execute/tflite_web_model_runner_options.h"

#include <variant>

#include "delegate/delegate_options.h"
#include "support/text.h"

namespace tflite::webnn {
namespace {

using Field = std::variant<int TFLiteWebModelRunnerOptions::*, bool TFLiteWebModelRunnerOptions::*,
                           std::string TFLiteWebModelRunnerOptions::*>;

struct FieldEntry {
  const char* key;
  Field field;
};

const FieldEntry kOptions[] = {
    {"num_threads", &TFLiteWebModelRunnerOptions::num_threads},
    {"enable_xnnpack_delegate", &TFLiteWebModelRunnerOptions::enable_xnnpack_delegate},
    {"xnnpack_only_with_webnn", &TFLiteWebModelRunnerOptions::xnnpack_only_with_webnn},
    {"input_shapes", &TFLiteWebModelRunnerOptions::input_shapes},
    {"defer_allocation", &TFLiteWebModelRunnerOptions::defer_allocation},
    {"main_subgraph", &TFLiteWebModelRunnerOptions::main_subgraph},
    {"preserve_all_tensors", &TFLiteWebModelRunnerOptions::preserve_all_tensors},
    {"reorder_weights", &TFLiteWebModelRunnerOptions::reorder_weights},
    {"enable_profiling", &TFLiteWebModelRunnerOptions::enable_profiling},
    {"max_profiling_buffer_entries", &TFLiteWebModelRunnerOptions::max_profiling_buffer_entries},
    {"enable_webnn_delegate", &TFLiteWebModelRunnerOptions::enable_webnn_delegate},
    {"external_variables", &TFLiteWebModelRunnerOptions::external_variables},
    {"custom_ops", &TFLiteWebModelRunnerOptions::custom_ops},
    {"webnn_host_context", &TFLiteWebModelRunnerOptions::webnn_host_context},
};

constexpr std::string_view kDelegatePrefix = "webnn_";

}  // namespace

Status TFLiteWebModelRunnerOptions::Set(std::string_view key, std::string_view value) {
  for (const FieldEntry& row : kOptions) {
    if (key != row.key) continue;
    if (const auto* text = std::get_if<std::string TFLiteWebModelRunnerOptions::*>(&row.field)) {
      this->*(*text) = value;
      return {};
    }
    int number = 0;
    if (!ParseNumber(value, &number)) return InvalidOption(key, "'", value, "' is not an integer");
    if (const auto* flag = std::get_if<bool TFLiteWebModelRunnerOptions::*>(&row.field)) this->*(*flag) = number != 0;
    if (const auto* count = std::get_if<int TFLiteWebModelRunnerOptions::*>(&row.field)) this->*(*count) = number;
    return {};
  }
  if (!key.starts_with(kDelegatePrefix)) return InvalidOption(key, "no such option");
  const std::string_view name = key.substr(kDelegatePrefix.size());
  if (Status status = DelegateOptions().Set(name, value); !status.ok()) return InvalidOption(key, status.message());
  webnn_options.insert_or_assign(std::string(name), value);
  return {};
}

}  // namespace tflite::webnn
