// The C++ example of the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime": loads a model from a buffer and
// runs it with the WebNN delegate.
//
//   model_runner MODEL.tflite
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "programs/program_webnn.h"
#include "runner/tflite_web_model_runner.h"

namespace {

using tflite::webnn::ProgramWebnn;
using tflite::webnn::RunnerError;
using tflite::webnn::TFLiteWebModelRunner;

constexpr int kDefaultDevice = 0;
constexpr int kLowPower = 2;

RunnerError Init(TFLiteWebModelRunner& runner, const std::string& model) {
  tflite::webnn::TFLiteWebModelRunnerOptions& options = runner.options();
  if (const std::optional<ProgramWebnn> webnn = tflite::webnn::OpenWebnn(kDefaultDevice, kLowPower)) {
    options.enable_webnn_delegate = true;
    options.webnn_host_context = webnn->context;
    options.webnn_options["op_support_limits"] = webnn->op_support_limits;
  }
  std::unique_ptr<uint8_t[], void (*)(void*)> buffer(static_cast<uint8_t*>(malloc(model.size())), free);
  model.copy(reinterpret_cast<char*>(buffer.get()), model.size());
  return runner.InitFromBuffer(std::move(buffer), model.size());
}

// Fills every float32 input with 0.5, 1.5, 2.5, ...
void FillInputs(TFLiteWebModelRunner& runner) {
  for (int index : runner.interpreter().inputs()) {
    TfLiteTensor* tensor = runner.tensor(index, runner.main_subgraph());
    if (tensor->type != kTfLiteFloat32) continue;
    for (size_t i = 0; i < tensor->bytes / sizeof(float); ++i) tensor->data.f[i] = i + 0.5f;
  }
}

void Print(const TFLiteWebModelRunner& runner) {
  for (int node_index : runner.interpreter().execution_plan()) {
    const auto& [node, registration] = *runner.interpreter().node_and_registration(node_index);
    const char* op = node.delegate != nullptr ? registration.custom_name : tflite::webnn::OpName(registration);
    printf("node %d: %s\n", node_index, op);
  }
  for (int index : runner.interpreter().outputs()) {
    const TfLiteTensor& tensor = *runner.tensor(index, runner.main_subgraph());
    if (tensor.type == kTfLiteFloat32) printf("output %s starts with %g\n", tensor.name, tensor.data.f[0]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "", std::ios::binary);
  if (!file) {
    fprintf(stderr, "usage: model_runner MODEL.tflite\n");
    return EXIT_FAILURE;
  }
  TFLiteWebModelRunner runner;
  RunnerError error = Init(runner, std::string(std::istreambuf_iterator<char>(file), {}));
  if (error.ok()) {
    FillInputs(runner);
    error = runner.Invoke();
  }
  if (!error.ok()) {
    fprintf(stderr, "%s: %s\n", error.code.c_str(), error.message.c_str());
    return EXIT_FAILURE;
  }
  Print(runner);
  return EXIT_SUCCESS;
}
