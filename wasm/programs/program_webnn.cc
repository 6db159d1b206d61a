// The WebNN of a program: the host that js/apps/programs/src/program_host.ts sets on it, which owns the contexts.
#include <emscripten.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "delegate/webnn_context.h"
#include "runtime/execute/blocking_host.h"

// Returns the context's number, 0 without WebNN.
EM_JS(int32_t, tflite_webnn_program_open, (uint32_t device_preference, uint32_t power_preference),
      { return Module.webnnHost.open(device_preference, power_preference); });

// The caller frees the returned text.
EM_JS(char*, tflite_webnn_program_text, (int32_t context, bool is_limits), {
  const host = Module.webnnHost;
  const text = is_limits ? host.limitsText(context) : host.workarounds(context);
  const size = lengthBytesUTF8(text) + 1;
  const address = _malloc(size);
  stringToUTF8(text, address, size);
  return address;
});

namespace tflite::webnn {
namespace {

std::string TextOf(int32_t context, bool is_limits) {
  const std::unique_ptr<char, decltype(&free)> text(tflite_webnn_program_text(context, is_limits), free);
  return text.get();
}

}  // namespace

std::optional<WebnnContext> OpenWebnnContext(uint32_t device_preference, uint32_t power_preference) {
  const int32_t context = tflite_webnn_program_open(device_preference, power_preference);
  if (context == 0) return std::nullopt;
  return WebnnContext{BlockingHost(context), TextOf(context, true), TextOf(context, false)};
}

}  // namespace tflite::webnn
