// The WebNN delegate for everything that takes its delegates from TFLite's registrar: benchmark_model, inference_diff,
// kernel tests. The flags are those of the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime".
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "delegate/webnn_delegate.h"
#include "programs/program_webnn.h"
#include "tensorflow/lite/tools/delegates/delegate_provider.h"
#include "tensorflow/lite/tools/logging.h"

namespace tflite::tools {
namespace {

constexpr char kUseWebnn[] = "use_webnn";
constexpr char kDevicePreference[] = "webnn_device_preference";
constexpr char kPowerPreference[] = "webnn_power_preference";

}  // namespace

class WebnnDelegateProvider : public DelegateProvider {
 public:
  WebnnDelegateProvider() {
    const TfLiteWebnnDelegateOptions defaults = TfLiteWebnnDelegateOptionsDefault();
    default_params_.AddParam(kUseWebnn, ToolParam::Create<bool>(false));
    default_params_.AddParam(kDevicePreference, ToolParam::Create<int32_t>(defaults.devicePreference));
    default_params_.AddParam(kPowerPreference, ToolParam::Create<int32_t>(defaults.powerPreference));
  }

  std::vector<Flag> CreateFlags(ToolParams* params) const final {
    return {
        CreateFlag<bool>(kUseWebnn, params, "use the WebNN delegate"),
        CreateFlag<int32_t>(kDevicePreference, params, "WebNN device: 0 default, 1 gpu, 2 cpu, 3 npu"),
        CreateFlag<int32_t>(kPowerPreference, params, "WebNN power: 0 default, 1 high-performance, 2 low-power"),
    };
  }

  void LogParams(const ToolParams& params, bool verbose) const final {
    LOG_TOOL_PARAM(params, bool, kUseWebnn, "Use WebNN", verbose);
    LOG_TOOL_PARAM(params, int32_t, kDevicePreference, "WebNN device preference", verbose);
    LOG_TOOL_PARAM(params, int32_t, kPowerPreference, "WebNN power preference", verbose);
  }

  TfLiteDelegatePtr CreateTfLiteDelegate(const ToolParams& params) const final {
    if (!params.Get<bool>(kUseWebnn)) return CreateNullDelegate();
    TfLiteWebnnDelegateOptions options = TfLiteWebnnDelegateOptionsDefault();
    options.devicePreference = params.Get<int32_t>(kDevicePreference);
    options.powerPreference = params.Get<int32_t>(kPowerPreference);
    const std::optional<webnn::ProgramWebnn> webnn =
        webnn::OpenWebnn(options.devicePreference, options.powerPreference);
    if (!webnn) {
      TFLITE_LOG(WARN) << "There is no WebNN here: the delegate is not applied.";
      return CreateNullDelegate();
    }
    options.opSupportLimits = webnn->op_support_limits.c_str();
    options.host = &webnn->host;
    return TfLiteDelegatePtr(TfLiteWebnnDelegateCreate(&options), TfLiteWebnnDelegateDelete);
  }

  std::pair<TfLiteDelegatePtr, int> CreateRankedTfLiteDelegate(const ToolParams& params) const final {
    return {CreateTfLiteDelegate(params), params.GetPosition<bool>(kUseWebnn)};
  }

  std::string GetName() const final { return "WebNN"; }
};
REGISTER_DELEGATE_PROVIDER(WebnnDelegateProvider);

}  // namespace tflite::tools
