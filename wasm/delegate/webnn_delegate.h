#ifndef TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_
#define TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"

// The C API of the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime", adapted to today's
// WebNN: the delegate describes graphs, and JavaScript builds and dispatches them. Also declares TFLite's interface
// of external delegates, tflite_plugin_create_delegate.
#ifdef __cplusplus
extern "C" {
#endif

// A tensor's memory while a partition is computed.
typedef struct {
  void* data;
  size_t sizeBytes;
} TfLiteWebnnBuffer;

// Builds and computes graphs while the caller waits (mode "blocking"). A host settles promises for a sleeping thread,
// for example JavaScript with a helper worker (runtime/execute/blocking_host.h).
typedef struct {
  void* userData;
  // Builds a graph from null-terminated JSON (docs/architecture.md has the format). Its constants stay in place until
  // release(). Returns the graph's handle, or 0 if it cannot be built.
  int32_t (*build)(void* userData, const char* graphJson);
  // Computes a graph on as many buffers as it has inputs and outputs, in their order. Returns 0 for success.
  int32_t (*dispatch)(void* userData, int32_t graph, const TfLiteWebnnBuffer* inputs, const TfLiteWebnnBuffer* outputs);
  void (*release)(void* userData, int32_t graph);
} TfLiteWebnnHost;

typedef struct {
  // 0 default, 1 gpu, 2 cpu, 3 npu, and 0 default, 1 high-performance, 2 low-power. Where a host is linked
  // (programs/program_webnn.cc) and the options have neither a host nor op_support_limits, an MLContext is opened with
  // them. A caller that has opened one passes its op_support_limits; graphs are then described for any device.
  uint32_t devicePreference;
  uint32_t powerPreference;
  // The options by name, as for tflite_plugin_create_delegate: {"max_partitions"}, {"2"}. delegate/delegate_options.h
  // lists all of them.
  const char* const* optionKeys;
  const char* const* optionValues;
  size_t optionCount;
  // Receives the reason why there is no delegate; if null, it is logged.
  void (*reportError)(const char* message);
  // Computes the partitions when they are invoked; copied. If null, the delegate only describes partitions, and the
  // code that walks the plan computes them (the modes "direct" and "stepped").
  const TfLiteWebnnHost* host;
} TfLiteWebnnDelegateOptions;

TfLiteWebnnDelegateOptions TfLiteWebnnDelegateOptionsDefault(void);

// Null options mean the defaults. Copies everything. Returns null for wrong options, without a context, and in a module
// without WebNN.
TfLiteDelegate* TfLiteWebnnDelegateCreate(const TfLiteWebnnDelegateOptions* options);

void TfLiteWebnnDelegateDelete(TfLiteDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_
