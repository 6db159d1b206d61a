// Runs a model with this project's TFLiteWebModelRunner, whose options are those of the RFC "WebNN Delegate for
// TensorFlow Lite WebAssembly runtime": the class that the package's module consists of.
//
//   model_runner MODEL.tflite
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "delegate/model/op_name.h"
#include "runtime/module/tflite_web_model_runner.h"
#include "tensorflow/lite/core/kernels/register.h"

namespace {

using tflite::ops::builtin::BuiltinOpResolver;
using tflite::webnn::Status;
using tflite::webnn::TFLiteWebModelRunner;

constexpr int kLowPower = 2;

Status Init(TFLiteWebModelRunner& runner, const std::string& model) {
  runner.options().num_threads = -1;
  runner.options().enable_webnn_delegate = true;
  runner.options().webnn_power_preference = kLowPower;
  return runner.InitFromBuffer(model.data(), model.size(), std::make_unique<BuiltinOpResolver>());
}

// Fills every float32 input with 0.5, 1.5, 2.5, ...
void FillInputs(TFLiteWebModelRunner& runner) {
  for (int index : runner.session().interpreter().inputs()) {
    TfLiteTensor* tensor = runner.session().tensor(index, runner.session().main_subgraph());
    if (tensor->type != kTfLiteFloat32) continue;
    for (size_t i = 0; i < tensor->bytes / sizeof(float); ++i) tensor->data.f[i] = i + 0.5f;
  }
}

void Print(const TFLiteWebModelRunner& runner) {
  if (!runner.session().constraints().webnn_error.empty())
    printf("on the CPU: %s\n", runner.session().constraints().webnn_error.c_str());
  for (int node_index : runner.session().interpreter().execution_plan()) {
    const auto& [node, registration] = *runner.session().interpreter().node_and_registration(node_index);
    const char* op = node.delegate != nullptr ? registration.custom_name : tflite::webnn::OpName(registration);
    printf("node %d: %s\n", node_index, op);
  }
  for (int index : runner.session().interpreter().outputs()) {
    const TfLiteTensor& tensor = *runner.session().tensor(index, runner.session().main_subgraph());
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
  Status error = Init(runner, std::string(std::istreambuf_iterator<char>(file), {}));
  if (error.ok()) {
    FillInputs(runner);
    error = runner.Invoke();
  }
  if (!error.ok()) {
    fprintf(stderr, "%s: %s\n", error.code(), error.message().c_str());
    return EXIT_FAILURE;
  }
  Print(runner);
  return EXIT_SUCCESS;
}
