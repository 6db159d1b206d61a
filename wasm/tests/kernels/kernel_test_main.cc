// main() of TFLite's kernel tests: as kernels/test_main.cc, without its benchmarks, and with a line of JSON for each
// case, which tools/kernel_tests reads.
#include <emscripten.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/json_writer.h"
#include "tensorflow/lite/kernels/test_delegate_providers.h"
#include "tests/kernels/seeded_entropy.h"

// The number of dispatches since the program started.
EM_JS(int32_t, tflite_webnn_program_dispatch_count, (), { return Module.webnnHost.dispatchCount; });

namespace {

using tflite::webnn::JsonWriter;

class LineListener : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo& test) override {
    messages_.clear();
    first_dispatch_ = tflite_webnn_program_dispatch_count();
    tflite::webnn::SeedEntropy(GTEST_FLAG_GET(random_seed));
    Print(test, "started");
  }

  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed() && !part.skipped()) return;
    if (!messages_.empty()) messages_ += '\n';
    messages_ += part.message();
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    const testing::TestResult& result = *test.result();
    Print(test, result.Failed() ? "failed" : result.Skipped() ? "skipped" : "passed");
  }

 private:
  void Print(const testing::TestInfo& test, const char* event) {
    const testing::TestResult& result = *test.result();
    JsonWriter json;
    json.BeginObject();
    json.Field("case", std::string(test.test_suite_name()) + "." + test.name());
    json.Field("event", event);
    json.Field("dispatches", tflite_webnn_program_dispatch_count() - first_dispatch_);
    json.Field("message", messages_);
    for (int i = 0; i < result.test_property_count(); ++i) {
      json.Field(result.GetTestProperty(i).key(), result.GetTestProperty(i).value());
    }
    json.EndObject();
    printf("@case %s\n", json.Take().c_str());
    fflush(stdout);
  }

  std::string messages_;
  int first_dispatch_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  auto* providers = tflite::KernelTestDelegateProviders::Get();
  if (!providers->InitFromCmdlineArgs(&argc, const_cast<const char**>(argv))) return EXIT_FAILURE;
  testing::InitGoogleTest(&argc, argv);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new LineListener);
  return RUN_ALL_TESTS();
}
