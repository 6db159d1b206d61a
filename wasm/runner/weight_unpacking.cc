#include "runner/weight_unpacking.h"

#include <utility>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

bool IsNarrow(TfLiteType type) { return type == kTfLiteInt2 || type == kTfLiteInt4 || type == kTfLiteUInt4; }

bool UnpacksNarrowConstant(Subgraph& graph, const TfLiteNode& node, const TfLiteRegistration& registration) {
  if (registration.builtin_code != kTfLiteBuiltinDequantize) return false;
  const TfLiteTensor& input = *graph.tensor(node.inputs->data[0]);
  return IsConstantTensor(&input) && IsNarrow(input.type);
}

// Lets the node's kernel write the tensor's content. Null if the kernel cannot.
std::unique_ptr<char[]> Dequantize(Subgraph& graph, int node_index) {
  const auto& [node, registration] = *graph.node_and_registration(node_index);
  TfLiteContext* context = graph.context();
  if (registration.prepare(context, const_cast<TfLiteNode*>(&node)) != kTfLiteOk) return nullptr;
  TfLiteTensor& output = *graph.tensor(node.outputs->data[0]);
  auto content = std::make_unique<char[]>(output.bytes);
  output.data.raw = content.get();
  const TfLiteStatus status = registration.invoke(context, const_cast<TfLiteNode*>(&node));
  if (status != kTfLiteOk) {
    output.data.raw = nullptr;
    return nullptr;
  }
  output.allocation_type = kTfLiteMmapRo;
  return content;
}

}  // namespace

UnpackedWeights UnpackWeights(Interpreter& interpreter) {
  UnpackedWeights unpacked;
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    Subgraph& graph = *interpreter.subgraph(static_cast<int>(i));
    if (graph.IsDelegationSkippable()) continue;
    std::vector<int> plan;
    for (int node_index : graph.execution_plan()) {
      const auto& [node, registration] = *graph.node_and_registration(node_index);
      std::unique_ptr<char[]> content;
      if (UnpacksNarrowConstant(graph, node, registration)) content = Dequantize(graph, node_index);
      if (content == nullptr) {
        plan.push_back(node_index);
      } else {
        unpacked.push_back(std::move(content));
      }
    }
    graph.execution_plan() = std::move(plan);
  }
  return unpacked;
}

}  // namespace tflite::webnn
