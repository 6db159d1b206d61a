#ifndef TFLITE_WEBNN_RUNTIME_XNNPACK_THREADS_H_
#define TFLITE_WEBNN_RUNTIME_XNNPACK_THREADS_H_

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

namespace tflite::webnn {

// How many of `available` threads make a model faster: all, or 1 if a run or its operators are estimated to be too
// short. Estimates by the shapes that the tensors have.
int ThreadsThatPay(Interpreter& interpreter, int available);

// Creates XNNPACK's delegate; null in a module without it. If its options have more than one thread, it computes on the
// pool that all models of the module instance share: the first of them sets its size.
TfLiteDelegate* CreateXnnpackDelegate(const TfLiteXNNPackDelegateOptions& options, const TfLiteContext& context);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_XNNPACK_THREADS_H_
