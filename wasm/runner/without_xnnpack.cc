// In place of TFLite's XNNPACK delegate, in a module without it: TFLite's own kernels compute all.
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

TfLiteXNNPackDelegateOptions TfLiteXNNPackDelegateOptionsDefault() { return {}; }

TfLiteDelegate* TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions*) { return nullptr; }

// What the list of all kernels refers to, for delegates that an interpreter applies by itself.
TfLiteDelegate* TfLiteXNNPackDelegateCreateWithThreadpool(const TfLiteXNNPackDelegateOptions*, TfLiteContext*) {
  return nullptr;
}

void TfLiteXNNPackDelegateDelete(TfLiteDelegate*) {}
