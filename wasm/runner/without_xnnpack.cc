// Replaces TFLite's XNNPACK delegate in a module without it: TFLite's own kernels compute everything.
#include "kernels/dot_product.h"
#include "kernels/weights_in_place.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

TfLiteXNNPackDelegateOptions TfLiteXNNPackDelegateOptionsDefault() { return {}; }

TfLiteDelegate* TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions*) { return nullptr; }

// TFLite's list of all kernels refers to this, for the delegates that an interpreter applies by default.
TfLiteDelegate* TfLiteXNNPackDelegateCreateWithThreadpool(const TfLiteXNNPackDelegateOptions*, TfLiteContext*) {
  return nullptr;
}

void TfLiteXNNPackDelegateDelete(TfLiteDelegate*) {}

namespace tflite::webnn {

DotProduct AcceptedDotProduct() { return DotProduct::kNone; }

// Nothing is reordered.
WeightsInPlace::~WeightsInPlace() = default;
bool WeightsInPlace::CanReorder(size_t, size_t) { return false; }
void WeightsInPlace::Allow(void*, size_t, size_t) {}
bool WeightsInPlace::AreReordered(const void*) const { return false; }
void WeightsInPlace::UseOwnOrder(bool) const {}
void WeightsInPlace::Restore() {}

}  // namespace tflite::webnn
