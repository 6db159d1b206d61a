// A minimal TFLite delegate that accepts only SIN. Prints the execution plan after partitioning.
//
//   sin_delegate MODEL.tflite
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/interpreter_builder.h"
#include "tensorflow/lite/core/kernels/register.h"
#include "tensorflow/lite/core/model_builder.h"
#include "tensorflow/lite/delegates/utils/simple_delegate.h"

namespace {

// Computes one partition: some SIN nodes.
class SinKernel : public tflite::SimpleDelegateKernelInterface {
 public:
  TfLiteStatus Init(TfLiteContext* context, const TfLiteDelegateParams* params) override {
    for (int node_index : tflite::TfLiteIntArrayView(params->nodes_to_replace)) {
      TfLiteNode* node;
      TfLiteRegistration* registration;
      TF_LITE_ENSURE_STATUS(context->GetNodeAndRegistration(context, node_index, &node, &registration));
      nodes_.push_back({node->inputs->data[0], node->outputs->data[0]});
    }
    return kTfLiteOk;
  }
  TfLiteStatus Prepare(TfLiteContext*, TfLiteNode*) override { return kTfLiteOk; }
  TfLiteStatus Eval(TfLiteContext* context, TfLiteNode*) override {
    for (const auto& [input, output] : nodes_) {
      const TfLiteTensor& x = context->tensors[input];
      for (size_t i = 0; i < x.bytes / sizeof(float); ++i) context->tensors[output].data.f[i] = std::sin(x.data.f[i]);
    }
    return kTfLiteOk;
  }

 private:
  std::vector<std::pair<int, int>> nodes_;
};

class SinDelegate : public tflite::SimpleDelegateInterface {
 public:
  TfLiteStatus Initialize(TfLiteContext*) override { return kTfLiteOk; }
  bool IsNodeSupportedByDelegate(const TfLiteRegistration* registration, const TfLiteNode* node,
                                 TfLiteContext* context) const override {
    return registration->builtin_code == kTfLiteBuiltinSin &&
           context->tensors[node->inputs->data[0]].type == kTfLiteFloat32;
  }
  std::unique_ptr<tflite::SimpleDelegateKernelInterface> CreateDelegateKernelInterface() override {
    return std::make_unique<SinKernel>();
  }
  const char* Name() const override { return "SinDelegate"; }
  Options DelegateOptions() const override { return Options(); }
};

void PrintPlan(const char* title, const tflite::Interpreter& interpreter) {
  printf("%s:", title);
  for (int node_index : interpreter.execution_plan()) {
    const auto& [node, registration] = *interpreter.node_and_registration(node_index);
    const bool delegated = node.delegate != nullptr;
    printf(" %d=%s", node_index,
           delegated
               ? registration.custom_name
               : tflite::EnumNameBuiltinOperator(static_cast<tflite::BuiltinOperator>(registration.builtin_code)));
  }
  printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const auto model = tflite::FlatBufferModel::BuildFromFile(argc == 2 ? argv[1] : "");
  // No default delegates: XNNPACK accepts SIN, too.
  const tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates resolver;
  std::unique_ptr<tflite::Interpreter> interpreter;
  if (!model || tflite::InterpreterBuilder(*model, resolver)(&interpreter) != kTfLiteOk) {
    fprintf(stderr, "usage: sin_delegate MODEL.tflite\n");
    return EXIT_FAILURE;
  }
  PrintPlan("before", *interpreter);
  auto delegate = tflite::TfLiteDelegateFactory::Create(std::make_unique<SinDelegate>());
  if (interpreter->ModifyGraphWithDelegate(std::move(delegate)) != kTfLiteOk) return EXIT_FAILURE;
  PrintPlan("after", *interpreter);

  if (interpreter->AllocateTensors() != kTfLiteOk) return EXIT_FAILURE;
  const TfLiteTensor& x = *interpreter->input_tensor(0);
  for (size_t i = 0; i < x.bytes / sizeof(float); ++i) x.data.f[i] = 2.0f;
  if (interpreter->Invoke() != kTfLiteOk) return EXIT_FAILURE;
  printf("f(2) = %g\n", interpreter->typed_output_tensor<float>(0)[0]);
  return EXIT_SUCCESS;
}
