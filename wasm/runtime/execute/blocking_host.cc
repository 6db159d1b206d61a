#include "runtime/execute/blocking_host.h"

#include <emscripten.h>

// The JavaScript host catches all its exceptions: none may unwind through C++.
EM_JS(int32_t, tflite_webnn_host_build, (int context, const char* graph_json),
      { return Module.webnnHost.build(context, UTF8ToString(graph_json)); });

EM_JS(int32_t, tflite_webnn_host_dispatch,
      (int32_t graph, const TfLiteWebnnBuffer* inputs, const TfLiteWebnnBuffer* outputs),
      { return Module.webnnHost.dispatch(graph, inputs, outputs); });

EM_JS(void, tflite_webnn_host_release, (int32_t graph), { Module.webnnHost.release(graph); });

namespace tflite::webnn {
namespace {

int ContextOf(void* user_data) { return static_cast<int>(reinterpret_cast<intptr_t>(user_data)); }

}  // namespace

TfLiteWebnnHost BlockingHost(int context) {
  return {
      .userData = reinterpret_cast<void*>(static_cast<intptr_t>(context)),
      .build = [](void* user_data, const char* graph) { return tflite_webnn_host_build(ContextOf(user_data), graph); },
      .dispatch = [](void*, int32_t graph, const TfLiteWebnnBuffer* inputs,
                     const TfLiteWebnnBuffer* outputs) { return tflite_webnn_host_dispatch(graph, inputs, outputs); },
      .release = [](void*, int32_t graph) { tflite_webnn_host_release(graph); },
  };
}

}  // namespace tflite::webnn
