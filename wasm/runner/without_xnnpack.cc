// In place of TFLite's XNNPACK delegate, in a module without it: TFLite's own kernels compute all.
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

TfLiteXNNPackDelegateOptions TfLiteXNNPackDelegateOptionsDefault() { return {}; }

TfLiteDelegate* TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions*) { return nullptr; }

void TfLiteXNNPackDelegateDelete(TfLiteDelegate*) {}
