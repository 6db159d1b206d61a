#ifndef TFLITE_WEBNN_DELEGATE_WEBNN_CONTEXT_H_
#define TFLITE_WEBNN_DELEGATE_WEBNN_CONTEXT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "delegate/webnn_delegate.h"

namespace tflite::webnn {

// An MLContext on which a delegate computes while its caller waits.
struct WebnnContext {
  TfLiteWebnnHost host;
  // Its limits, the option op_support_limits.
  std::string op_support_limits;
  // Those of its browser, the default of the option workarounds.
  std::string workarounds;
};

// Opens a context with the preferences of TfLiteWebnnDelegateOptions, or returns the one already open with them. Empty
// without WebNN, after printing the reason. Null unless a host is linked: programs/program_webnn.cc defines it.
[[gnu::weak]] std::optional<WebnnContext> OpenWebnnContext(uint32_t device_preference, uint32_t power_preference);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_WEBNN_CONTEXT_H_
