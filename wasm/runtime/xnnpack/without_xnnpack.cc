// Replaces TFLite's XNNPACK delegate in a module without it: TFLite's kernels compute everything.
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

TfLiteXNNPackDelegateOptions TfLiteXNNPackDelegateOptionsDefault() { return {}; }

TfLiteDelegate* TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions*) { return nullptr; }

// TFLite's list of all kernels refers to this, for the delegates that an interpreter applies by default.
TfLiteDelegate* TfLiteXNNPackDelegateCreateWithThreadpool(const TfLiteXNNPackDelegateOptions*, TfLiteContext*) {
  return nullptr;
}

void TfLiteXNNPackDelegateDelete(TfLiteDelegate*) {}
