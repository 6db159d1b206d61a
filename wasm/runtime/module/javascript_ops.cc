#include "runtime/module/javascript_ops.h"

#include <emscripten.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "delegate/model/javascript_op.h"
#include "delegate/model/op_name.h"
#include "runtime/describe/tensor_description.h"
#include "runtime/validate/budget.h"
#include "support/json_writer.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/kernels/kernel_util.h"

// Prepares a node, or runs it if its tensors are not described. JavaScript catches all its exceptions: none may unwind
// through C++. Returns 0 for success.
EM_JS(int, tflite_webnn_custom_op, (const void* call, const char* tensors),
      { return Module.customOps.call(call, tensors ? UTF8ToString(tensors) : null); });

// Forgets a node.
EM_JS(void, tflite_webnn_custom_op_free, (const void* number), { Module.customOps.free(number); });

namespace {

using tflite::Subgraph;
using tflite::webnn::JsonWriter;

// Of an input that is left out, all are 0.
struct TensorWords {
  const void* data = nullptr;
  size_t size_bytes = 0;
  const TfLiteIntArray* shape = nullptr;
};

// JavaScript reads these words, and writes a shape.
struct JavascriptCall {
  int32_t shape[tflite::webnn::kMaxRank];
  void* number;  // of the node
  int subgraph;
  int node_index;
  const char* op;
  const void* options;
  int options_size_bytes;
  int input_count;
  int output_count;
  std::unique_ptr<TensorWords[]> tensors;  // the inputs, then the outputs
  TfLiteContext* context;
  const TfLiteNode* node;
};

TensorWords WordsOf(const TfLiteTensor& tensor) { return {tensor.data.raw, tensor.bytes, tensor.dims}; }

TfLiteStatus CallJavascript(TfLiteContext* context, const TfLiteNode* node, bool is_prepare) {
  const Subgraph& graph = *static_cast<const Subgraph*>(context->impl_);
  int index = static_cast<int>(graph.nodes_size()) - 1;
  while (index > 0 && &graph.node_and_registration(index)->first != node) --index;
  JavascriptCall call;
  call.number = node->user_data;
  call.subgraph = graph.GetSubgraphIndex();
  call.node_index = index;
  call.op = tflite::webnn::OpName(graph.node_and_registration(index)->second);
  call.options = node->custom_initial_data;
  call.options_size_bytes = node->custom_initial_data_size;
  call.input_count = node->inputs->size;
  call.output_count = node->outputs->size;
  call.tensors = std::make_unique<TensorWords[]>(call.input_count + call.output_count);
  call.context = context;
  call.node = node;
  TensorWords* words = call.tensors.get();
  JsonWriter json;
  json.BeginArray();
  for (const TfLiteIntArray* list : {node->inputs, node->outputs}) {
    for (const int tensor_index : tflite::TfLiteIntArrayView(list)) {
      TensorWords& its = *words++;
      if (tensor_index < 0) {
        json.Value(nullptr);
        continue;
      }
      const TfLiteTensor& tensor = context->tensors[tensor_index];
      its = WordsOf(tensor);
      if (!is_prepare) continue;
      tflite::webnn::BeginTensor(json, tensor, tensor_index);
      json.Field("isConstant", tflite::IsConstantOrPersistentTensor(&tensor));
      json.EndObject();
    }
  }
  json.EndArray();
  const int status = tflite_webnn_custom_op(&call, is_prepare ? json.Take().c_str() : nullptr);
  return status == 0 ? kTfLiteOk : kTfLiteError;
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) { return CallJavascript(context, node, true); }

TfLiteStatus Invoke(TfLiteContext* context, TfLiteNode* node) { return CallJavascript(context, node, false); }

void Free(TfLiteContext*, void* number) { tflite_webnn_custom_op_free(number); }

// What files have: TensorFlow's converter writes 1.
constexpr int kMaxVersion = 16;

}  // namespace

// Sets the shape of an output to the one in the call; with the rank -1, one that its run sets. Returns 0 for success.
extern "C" EMSCRIPTEN_KEEPALIVE int tflite_custom_op_resize(JavascriptCall* call, int output, int rank) {
  TfLiteTensor* tensor = &call->context->tensors[call->node->outputs->data[output]];
  if (rank < 0) {
    tflite::SetTensorToDynamic(tensor);
    return 0;
  }
  TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
  std::copy_n(call->shape, rank, shape->data);
  const TfLiteStatus status = call->context->ResizeTensor(call->context, tensor, shape);
  call->tensors[call->input_count + output] = WordsOf(*tensor);
  return status;
}

namespace tflite::webnn {

void AddJavascriptOps(std::string& names, MutableOpResolver& resolver) {
  TfLiteRegistration registration = {};
  registration.init = InitJavascriptOp;
  registration.free = Free;
  registration.prepare = Prepare;
  registration.invoke = Invoke;
  std::replace(names.begin(), names.end(), '\n', '\0');
  for (const char* name = names.c_str(); *name != '\0'; name += std::strlen(name) + 1) {
    resolver.AddCustom(name, &registration, 1, kMaxVersion);
  }
}

}  // namespace tflite::webnn
