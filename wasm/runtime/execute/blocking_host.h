#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_BLOCKING_HOST_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_BLOCKING_HOST_H_

#include "delegate/webnn_delegate.h"

namespace tflite::webnn {

// The host that JavaScript sets on this module (`webnnHost`, js/packages/core/src/blocking/webnn_host.ts). It sends
// each call to a helper worker, which owns the MLContext, and sleeps until the response arrives.
//
// `context` is the host's number for the MLContext.
TfLiteWebnnHost BlockingHost(int context);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_BLOCKING_HOST_H_
