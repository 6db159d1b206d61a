// The WebNN delegate for programs that use TFLite's delegate registrar: benchmark_model, inference_diff, kernel tests.
// The flags follow the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime".
#include <cstdlib>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "delegate/delegate_options.h"
#include "delegate/webnn_delegate.h"
#include "tensorflow/lite/tools/delegates/delegate_provider.h"
#include "tensorflow/lite/tools/logging.h"

namespace tflite::tools {
namespace {

constexpr char kUseWebnn[] = "use_webnn";

// A delegate option as a flag, "webnn_" and its name.
struct OptionFlag {
  explicit OptionFlag(const webnn::DelegateOption& option)
      : row(option.row()), name(std::string("webnn_") + row.name), usage(row.text + (": " + option.expected())) {}

  webnn::OptionRow row;
  std::string name;
  std::string usage;
};

std::vector<OptionFlag> OptionFlags() {
  std::vector<OptionFlag> flags;
  const webnn::DelegateOptions options;
  for (const webnn::DelegateOption* option : options.all()) {
    if (option->row().scope != webnn::OptionScope::kRuntime) flags.emplace_back(*option);
  }
  return flags;
}

}  // namespace

class WebnnDelegateProvider : public DelegateProvider {
 public:
  WebnnDelegateProvider() {
    default_params_.AddParam(kUseWebnn, ToolParam::Create<bool>(false));
    for (const OptionFlag& flag : flags_) {
      default_params_.AddParam(flag.name, ToolParam::Create<std::string>(flag.row.default_value));
    }
  }

  std::vector<Flag> CreateFlags(ToolParams* params) const final {
    std::vector<Flag> flags = {CreateFlag<bool>(kUseWebnn, params, "use the WebNN delegate")};
    for (const OptionFlag& flag : flags_) {
      flags.push_back(CreateFlag<std::string>(flag.name.c_str(), params, flag.usage));
    }
    return flags;
  }

  void LogParams(const ToolParams& params, bool verbose) const final {
    LOG_TOOL_PARAM(params, bool, kUseWebnn, "Use WebNN", verbose);
    for (const OptionFlag& flag : flags_) LOG_TOOL_PARAM(params, std::string, flag.name, flag.name, verbose);
  }

  TfLiteDelegatePtr CreateTfLiteDelegate(const ToolParams& params) const final {
    if (!params.Get<bool>(kUseWebnn)) return CreateNullDelegate();
    webnn::DelegateOptions options;
    std::vector<const char*> keys, values;
    std::list<std::string> texts;
    for (const OptionFlag& flag : flags_) {
      if (!params.HasValueSet<std::string>(flag.name)) continue;
      texts.push_back(params.Get<std::string>(flag.name));
      if (const webnn::Status status = options.Set(flag.row.name, texts.back()); !status.ok()) {
        TFLITE_LOG(ERROR) << "--" << flag.name << ": " << status.message();
        std::exit(EXIT_FAILURE);
      }
      keys.push_back(flag.row.name);
      values.push_back(texts.back().c_str());
    }
    TfLiteWebnnDelegateOptions delegate_options = TfLiteWebnnDelegateOptionsDefault();
    delegate_options.optionKeys = keys.data();
    delegate_options.optionValues = values.data();
    delegate_options.optionCount = keys.size();
    TfLiteDelegate* delegate = TfLiteWebnnDelegateCreate(&delegate_options);
    if (delegate == nullptr) TFLITE_LOG(WARN) << "WebNN is not available: the delegate is not applied.";
    return TfLiteDelegatePtr(delegate, TfLiteWebnnDelegateDelete);
  }

  std::pair<TfLiteDelegatePtr, int> CreateRankedTfLiteDelegate(const ToolParams& params) const final {
    return {CreateTfLiteDelegate(params), params.GetPosition<bool>(kUseWebnn)};
  }

  std::string GetName() const final { return "WebNN"; }

 private:
  const std::vector<OptionFlag> flags_ = OptionFlags();
};
REGISTER_DELEGATE_PROVIDER(WebnnDelegateProvider);

}  // namespace tflite::tools
