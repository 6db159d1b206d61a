// Runs TFLite's tests of its XNNPACK delegate (delegates/xnnpack/*_test.cc) with the WebNN delegate.
//
// The linker's `--wrap` redirects TfLiteXNNPackDelegateCreate() and TfLiteXNNPackDelegateDelete() to the functions
// below. Without --use_webnn these call XNNPACK's own. WebNN ignores XNNPACK's options (threads, caches, flags);
// xnnpack_expectations.toml excludes the cases that test them.
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

// Tests apply one delegate to several interpreters. Each interpreter gets its own WebNN delegate, because a delegate
// keeps the rejections of the last interpreter only. All live as long as the test's delegate.
class DelegatePerInterpreter {
 public:
  DelegatePerInterpreter() {
    delegate_.data_ = this;
    delegate_.Prepare = Prepare;
  }

  TfLiteDelegate* get() { return &delegate_; }

  // Why nodes stay on the CPU; empty if none does.
  std::string RejectionText() const {
    std::string text;
    for (const auto& delegate : delegates_) {
      const WebnnDelegate& webnn = tflite::webnn::GetWebnnDelegate(delegate.get());
      if (!webnn.status().ok()) Add(webnn.status().message(), &text);
      for (const auto& [node_index, rejection] : webnn.rejections()) Add(rejection, &text);
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

  static void Add(const std::string& rejection, std::string* text) {
    if (text->find(rejection) == std::string::npos) *text += (text->empty() ? "" : "; ") + rejection;
  }

  TfLiteDelegate delegate_ = TfLiteDelegateCreate();
  std::vector<tflite::tools::TfLiteDelegatePtr> delegates_;
};

// Tests also check the file of packed weights that XNNPACK writes, unless there is no directory for temporary files.
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
  testing::Test::RecordProperty("rejection", owned->RejectionText());
}

}  // extern "C"
