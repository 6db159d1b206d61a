#ifndef TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_
#define TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"

// The C API of the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime", brought to today's
// WebNN: the delegate describes graphs, JavaScript builds and dispatches them. TFLite's interface of external
// delegates, tflite_plugin_create_delegate, is there too.
#ifdef __cplusplus
extern "C" {
#endif

// A tensor's memory while a partition is computed.
typedef struct {
  void* data;
  size_t sizeBytes;
} TfLiteWebnnBuffer;

// Builds and computes graphs while the caller waits: design "blocking". Whoever can answer a promise for a thread that
// sleeps is one, for example JavaScript with a helper worker (runner/blocking_host.h).
typedef struct {
  void* userData;
  // Builds a graph, given as docs/architecture.md describes it, null-terminated. Its constants stay where they are
  // until release(). Returns the graph's handle, or 0 when it cannot be built.
  int32_t (*build)(void* userData, const char* graphJson);
  // Computes a graph on as many buffers as it has inputs and outputs, in their order. Returns 0 for success.
  int32_t (*dispatch)(void* userData, int32_t graph, const TfLiteWebnnBuffer* inputs, const TfLiteWebnnBuffer* outputs);
  void (*release)(void* userData, int32_t graph);
} TfLiteWebnnHost;

typedef struct {
  // With which the caller has opened its MLContext: 0 default, 1 gpu, 2 cpu, 3 npu, and 0 default, 1 high-performance,
  // 2 low-power. The delegate describes graphs for any device, and does not read them.
  uint32_t devicePreference;
  uint32_t powerPreference;
  // The options by name, as tflite_plugin_create_delegate takes them: {"max_partitions"}, {"2"}. The rows of
  // delegate/delegate_options.h are all that there are. Without op_support_limits the delegate refuses to be applied.
  const char* const* optionKeys;
  const char* const* optionValues;
  size_t optionCount;
  // Gets what is wrong with an option; may be null.
  void (*reportError)(const char* message);
  // Who computes the partitions when they are invoked; copied. Null: they are only described, and whoever walks the
  // plan computes them (the modes "direct" and "stepped").
  const TfLiteWebnnHost* host;
} TfLiteWebnnDelegateOptions;

TfLiteWebnnDelegateOptions TfLiteWebnnDelegateOptionsDefault(void);

// Null options mean the default ones. Everything is copied. Null for options that are wrong, and in a module without
// WebNN.
TfLiteDelegate* TfLiteWebnnDelegateCreate(const TfLiteWebnnDelegateOptions* options);

void TfLiteWebnnDelegateDelete(TfLiteDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_
