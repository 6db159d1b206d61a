// Puts the WebNN delegate in the place of XNNPACK's, for TFLite's tests of the latter (delegates/xnnpack/*_test.cc).
//
// They are linked with `--wrap`: what they call TfLiteXNNPackDelegateCreate() and TfLiteXNNPackDelegateDelete() are the
// functions below. Without --use_webnn they get XNNPACK's own, as TFLite wrote them. The options are XNNPACK's:
// threads, caches and flags mean nothing to WebNN, and cases of those are left out by xnnpack_expectations.toml.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "delegate/webnn_delegate_impl.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"
#include "tensorflow/lite/kernels/test_delegate_providers.h"

namespace {

using tflite::webnn::WebnnDelegate;

bool UsesWebnn() { return tflite::KernelTestDelegateProviders::Get()->ConstParams().Get<bool>("use_webnn"); }

// Tests apply one delegate to several interpreters. Each interpreter gets a WebNN delegate of its own, for one tells
// why nodes stay on the CPU only of the interpreter that it was applied to last. All live as long as what the test
// holds.
class DelegatePerInterpreter {
 public:
  DelegatePerInterpreter() {
    delegate_.data_ = this;
    delegate_.Prepare = Prepare;
  }

  TfLiteDelegate* get() { return &delegate_; }

  // Why nodes stay on the CPU; empty where none does.
  std::string RefusalText() const {
    std::string text;
    for (const auto& delegate : delegates_) {
      const WebnnDelegate& webnn = tflite::webnn::GetWebnnDelegate(delegate.get());
      Add(webnn.error(), &text);
      for (const auto& [node_index, refusal] : webnn.refusals()) Add(refusal, &text);
    }
    return text;
  }

 private:
  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    auto provided = tflite::KernelTestDelegateProviders::Get()->CreateAllDelegates();
    if (provided.empty()) return kTfLiteDelegateError;
    auto& delegates = static_cast<DelegatePerInterpreter*>(delegate->data_)->delegates_;
    delegates.push_back(std::move(provided.front().delegate));
    return delegates.back()->Prepare(context, delegates.back().get());
  }

  static void Add(const std::string& refusal, std::string* text) {
    if (text->find(refusal) == std::string::npos) *text += (text->empty() ? "" : "; ") + refusal;
  }

  TfLiteDelegate delegate_ = TfLiteDelegateCreate();
  std::vector<tflite::tools::TfLiteDelegatePtr> delegates_;
};

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

TfLiteDelegate* __wrap_TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions* options) {
  if (!UsesWebnn()) return __real_TfLiteXNNPackDelegateCreate(options);
  return (new DelegatePerInterpreter)->get();
}

void __wrap_TfLiteXNNPackDelegateDelete(TfLiteDelegate* delegate) {
  if (!UsesWebnn()) return __real_TfLiteXNNPackDelegateDelete(delegate);
  if (delegate == nullptr) return;
  const std::unique_ptr<DelegatePerInterpreter> owned(static_cast<DelegatePerInterpreter*>(delegate->data_));
  // kernel_test_main.cc prints the properties of a case.
  testing::Test::RecordProperty("refusal", owned->RefusalText());
}

}  // extern "C"
