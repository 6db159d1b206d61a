// The C++ example of the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime" as it stands there, with the
// declarations and the main() that it leaves out. Since a host is linked, TfLiteWebnnDelegateCreate() opens an
// MLContext.
//
//   rfc_runner MODEL.tflite [DEVICE_PREFERENCE]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "delegate/webnn_delegate.h"
#include "tensorflow/lite/core/interpreter_builder.h"
#include "tensorflow/lite/core/kernels/register.h"
#include "tensorflow/lite/core/model_builder.h"
#include "tensorflow/lite/schema/schema_generated.h"

constexpr int kDefaultNumThreads = -1;

// clang-format off

// Available options.
struct TFLiteWebModelRunnerOptions {
  // Set the number of threads available to the interpreter.
  // -1 means to let interpreter set the threads count available to itself.
  int num_threads = kDefaultNumThreads;

  // Enable WebNN delegate or not.
  bool enable_webnn_delegate = false;

  // Device preference of WebNN delegate: 0 - default, 1 - gpu, 2 - cpu.
  int webnn_device_preference = 0;

  // Power preference of WebNN delegate: 0 - default, 1 - high-performance, 2 - low-power
  int webnn_power_preference = 0;
};

class TFLiteWebModelRunner {
 public:
  explicit TFLiteWebModelRunner(const TFLiteWebModelRunnerOptions& options) : options_(options) {}
  TfLiteStatus InitFromBuffer(const char* model_buffer_data, size_t model_buffer_size,
                              std::unique_ptr<tflite::OpResolver> resolver);
  tflite::Interpreter& interpreter() { return *interpreter_; }

 private:
  TFLiteWebModelRunnerOptions options_;
  std::unique_ptr<tflite::FlatBufferModel> model_;
  std::unique_ptr<tflite::Interpreter> interpreter_;
};

TfLiteStatus TFLiteWebModelRunner::InitFromBuffer(
    const char* model_buffer_data, size_t model_buffer_size,
    std::unique_ptr<tflite::OpResolver> resolver) {
  // Initilaize the model from flatbuffer.
  const char* model_buffer = reinterpret_cast<const char*>(model_buffer_data);
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(model_buffer),
                                 model_buffer_size);
  if (!tflite::VerifyModelBuffer(verifier)) {
    return kTfLiteError;
  }
  model_ =
      tflite::FlatBufferModel::BuildFromBuffer(model_buffer, model_buffer_size);

  // Initialize the interpreter from the model.
  const auto interpreter_builder_result =
      tflite::InterpreterBuilder(model_->GetModel(), *resolver, nullptr)(
          &interpreter_, options_.num_threads);
  if (interpreter_builder_result != kTfLiteOk) {
    return interpreter_builder_result;
  }
  if (!model_->initialized()) {
    return kTfLiteError;
  }

  // Enable WebNN delegate if requested.
  if (options_.enable_webnn_delegate) {
    TfLiteWebnnDelegateOptions options =
        TfLiteWebnnDelegateOptionsDefault();
    options.devicePreference = options_.webnn_device_preference;
    options.powerPreference = options_.webnn_power_preference;
    auto webnn_delegate = TfLiteWebnnDelegateCreate(&options);
    auto delegate_ptr = tflite::Interpreter::TfLiteDelegatePtr(webnn_delegate, [](TfLiteDelegate* delegate) {
      TfLiteWebnnDelegateDelete(delegate);
    });
    if (interpreter_->ModifyGraphWithDelegate(std::move(delegate_ptr)) != kTfLiteOk) {
        printf("Failed to apply webnn delegate.\n");
    }
  }

  // Allocate memory for the tensors in the model.
  return interpreter_->AllocateTensors();
}
// clang-format on

int main(int argc, char** argv) {
  std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
  if (!file) {
    fprintf(stderr, "usage: rfc_runner MODEL.tflite [DEVICE_PREFERENCE]\n");
    return EXIT_FAILURE;
  }
  TFLiteWebModelRunnerOptions options;
  options.enable_webnn_delegate = true;
  options.webnn_device_preference = argc > 2 ? atoi(argv[2]) : 0;
  TFLiteWebModelRunner runner(options);
  const std::string model(std::istreambuf_iterator<char>(file), {});
  auto resolver = std::make_unique<tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates>();
  if (runner.InitFromBuffer(model.data(), model.size(), std::move(resolver)) != kTfLiteOk) {
    fprintf(stderr, "The model could not be loaded.\n");
    return EXIT_FAILURE;
  }
  tflite::Interpreter& interpreter = runner.interpreter();
  const TfLiteTensor& x = *interpreter.input_tensor(0);
  for (size_t i = 0; i < x.bytes / sizeof(float); ++i) x.data.f[i] = 2.0f;
  if (interpreter.Invoke() != kTfLiteOk) return EXIT_FAILURE;
  for (int node_index : interpreter.execution_plan()) {
    const auto& [node, registration] = *interpreter.node_and_registration(node_index);
    if (node.delegate != nullptr) printf("node %d: %s\n", node_index, registration.custom_name);
  }
  printf("f(2) = %g\n", interpreter.typed_output_tensor<float>(0)[0]);
  return EXIT_SUCCESS;
}
