#ifndef TFLITE_WEBNN_RUNNER_BLOCKING_HOST_H_
#define TFLITE_WEBNN_RUNNER_BLOCKING_HOST_H_

#include "delegate/webnn_delegate.h"

namespace tflite::webnn {

// The host that JavaScript has put on this module (`webnnHost`, js/runtime/src/blocking/webnn_host.ts). It sends each
// call to a helper worker, which owns the MLContext, and sleeps until the answer is there.
//
// `context` is the number by which it knows the MLContext.
TfLiteWebnnHost BlockingHost(int context);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_BLOCKING_HOST_H_
