#ifndef TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_
#define TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"

// The C API of the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime", brought to today's
// WebNN: the delegate describes graphs, JavaScript builds and dispatches them.
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
  // 0 default, 1 gpu, 2 cpu, 3 npu. JavaScript has made its MLContext with the same preference; the
  // delegate carries it for C++ callers and for the report.
  uint32_t devicePreference;
  // 0 default, 1 high-performance, 2 low-power.
  uint32_t powerPreference;
  // Most partitions to delegate, largest first; 0 for no limit.
  int32_t maxPartitions;
  // Smallest number of nodes worth delegating; 0 for no limit.
  int32_t minNodesPerPartition;
  // Not 0 to delegate also what costs more at its border than WebNN saves. A partition that is the whole
  // model is never weighed, nor is any when allowedOps names what shall be delegated.
  int32_t ignorePartitionCost;
  // What the MLContext supports, in the form of delegate/op_support_limits.h. Null or empty when
  // there is no MLContext: the delegate then refuses to be applied.
  const char* opSupportLimits;
  // Comma-separated names of TFLite ops ("CONV_2D") or custom ops. When allowedOps is not empty only
  // these are delegated; deniedOps never are. Null means empty.
  const char* allowedOps;
  const char* deniedOps;
  // Comma-separated indices of nodes that are never delegated, for example "7,12".
  const char* deniedNodes;
  // Who computes the partitions when they are invoked; copied. Null: they are only described, and whoever walks the
  // plan computes them (the modes "direct" and "stepped").
  const TfLiteWebnnHost* host;
} TfLiteWebnnDelegateOptions;

TfLiteWebnnDelegateOptions TfLiteWebnnDelegateOptionsDefault(void);

// Null options mean the default ones. The strings are copied. Never returns null.
TfLiteDelegate* TfLiteWebnnDelegateCreate(const TfLiteWebnnDelegateOptions* options);

void TfLiteWebnnDelegateDelete(TfLiteDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TFLITE_WEBNN_DELEGATE_WEBNN_DELEGATE_H_
