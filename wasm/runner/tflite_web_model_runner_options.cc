#include "runner/tflite_web_model_runner_options.h"

#include <charconv>
#include <variant>

namespace tflite::webnn {
namespace {

using Field = std::variant<int TFLiteWebModelRunnerOptions::*, bool TFLiteWebModelRunnerOptions::*,
                           std::string TFLiteWebModelRunnerOptions::*>;

struct OptionRow {
  const char* key;
  Field field;
};

const OptionRow kOptions[] = {
    {"num_threads", &TFLiteWebModelRunnerOptions::num_threads},
    {"enable_xnnpack_delegate", &TFLiteWebModelRunnerOptions::enable_xnnpack_delegate},
    {"input_shapes", &TFLiteWebModelRunnerOptions::input_shapes},
    {"defer_allocation", &TFLiteWebModelRunnerOptions::defer_allocation},
    {"preserve_all_tensors", &TFLiteWebModelRunnerOptions::preserve_all_tensors},
    {"enable_profiling", &TFLiteWebModelRunnerOptions::enable_profiling},
    {"max_profiling_buffer_entries", &TFLiteWebModelRunnerOptions::max_profiling_buffer_entries},
    {"enable_webnn_delegate", &TFLiteWebModelRunnerOptions::enable_webnn_delegate},
    {"webnn_device_preference", &TFLiteWebModelRunnerOptions::webnn_device_preference},
    {"webnn_power_preference", &TFLiteWebModelRunnerOptions::webnn_power_preference},
    {"webnn_max_partitions", &TFLiteWebModelRunnerOptions::webnn_max_partitions},
    {"webnn_min_nodes_per_partition", &TFLiteWebModelRunnerOptions::webnn_min_nodes_per_partition},
    {"webnn_ignore_partition_cost", &TFLiteWebModelRunnerOptions::webnn_ignore_partition_cost},
    {"webnn_host_context", &TFLiteWebModelRunnerOptions::webnn_host_context},
    {"webnn_op_support_limits", &TFLiteWebModelRunnerOptions::webnn_op_support_limits},
    {"webnn_allowed_ops", &TFLiteWebModelRunnerOptions::webnn_allowed_ops},
    {"webnn_denied_ops", &TFLiteWebModelRunnerOptions::webnn_denied_ops},
    {"webnn_denied_nodes", &TFLiteWebModelRunnerOptions::webnn_denied_nodes},
};

RunnerError Invalid(std::string_view key, const std::string& what) {
  return {error_code::kInvalidOption, "option '" + std::string(key) + "': " + what, {{"option", std::string(key)}}};
}

}  // namespace

RunnerError TFLiteWebModelRunnerOptions::Set(std::string_view key, std::string_view value) {
  for (const OptionRow& row : kOptions) {
    if (key != row.key) continue;
    if (const auto* text = std::get_if<std::string TFLiteWebModelRunnerOptions::*>(&row.field)) {
      this->*(*text) = value;
      return {};
    }
    int number = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size()) {
      return Invalid(key, "'" + std::string(value) + "' is not a whole number");
    }
    if (const auto* flag = std::get_if<bool TFLiteWebModelRunnerOptions::*>(&row.field)) this->*(*flag) = number != 0;
    if (const auto* count = std::get_if<int TFLiteWebModelRunnerOptions::*>(&row.field)) this->*(*count) = number;
    return {};
  }
  return Invalid(key, "no such option");
}

}  // namespace tflite::webnn
