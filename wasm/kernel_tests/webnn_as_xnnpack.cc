// Puts the WebNN delegate in the place of XNNPACK's, for TFLite's tests of the latter (delegates/xnnpack/*_test.cc).
//
// They are linked with `--wrap`: what they call TfLiteXNNPackDelegateCreate() and TfLiteXNNPackDelegateDelete() are the
// functions below. Without --use_webnn they get XNNPACK's own, as TFLite wrote them. The options are XNNPACK's:
// threads, caches and flags mean nothing to WebNN, and cases of those are left out by xnnpack_expectations.toml.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "delegate/webnn_delegate_impl.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"
#include "tensorflow/lite/kernels/test_delegate_providers.h"

namespace {

using tflite::webnn::WebnnDelegate;

// The property of a case that kernel_test_main.cc reports: why nodes stay on the CPU, empty where none does.
constexpr char kRefusal[] = "refusal";

bool UsesWebnn() { return tflite::KernelTestDelegateProviders::Get()->ConstParams().Get<bool>("use_webnn"); }

void RecordRefusals(const WebnnDelegate& delegate) {
  std::string text = delegate.error();
  for (const auto& [node_index, refusal] : delegate.refusals()) {
    if (text.find(refusal) == std::string::npos) text += (text.empty() ? "" : "; ") + refusal;
  }
  testing::Test::RecordProperty(kRefusal, text);
}

// Tests of XNNPACK's kernels also check the file with packed weights that XNNPACK wrote, unless there is no place for
// temporary files.
class NoTemporaryFiles : public testing::Environment {
  void SetUp() override { setenv("TEST_TMPDIR", "/nowhere", /*overwrite=*/1); }
};
const auto* const kNoTemporaryFiles = testing::AddGlobalTestEnvironment(new NoTemporaryFiles);

}  // namespace

extern "C" {

TfLiteDelegate* __real_TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions* options);
void __real_TfLiteXNNPackDelegateDelete(TfLiteDelegate* delegate);

// Null where there is no WebNN, which the tests do not take.
TfLiteDelegate* __wrap_TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions* options) {
  if (!UsesWebnn()) return __real_TfLiteXNNPackDelegateCreate(options);
  auto delegates = tflite::KernelTestDelegateProviders::Get()->CreateAllDelegates();
  return delegates.empty() ? nullptr : delegates.front().delegate.release();
}

void __wrap_TfLiteXNNPackDelegateDelete(TfLiteDelegate* delegate) {
  if (!UsesWebnn()) return __real_TfLiteXNNPackDelegateDelete(delegate);
  if (delegate == nullptr) return;
  RecordRefusals(tflite::webnn::GetWebnnDelegate(delegate));
  TfLiteWebnnDelegateDelete(delegate);
}

}  // extern "C"
