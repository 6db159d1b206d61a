#include "runner/weight_unpacking.h"

#include <cstdint>
#include <set>
#include <utility>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/kernels/internal/portable_tensor_utils.h"
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

// The int2 constants that nodes read as the weights of FULLY_CONNECTED only.
std::set<int> Int2Weights(const Subgraph& graph) {
  std::set<int> weights, others;
  for (int node_index : graph.execution_plan()) {
    const auto& [node, registration] = *graph.node_and_registration(node_index);
    for (int i = 0; i < node.inputs->size; ++i) {
      const int tensor = node.inputs->data[i];
      if (tensor < 0 || graph.tensor(tensor)->type != kTfLiteInt2) continue;
      const bool is_weight = registration.builtin_code == kTfLiteBuiltinFullyConnected && i == 1 &&
                             IsConstantTensor(graph.tensor(tensor)) && graph.tensor(tensor)->sparsity == nullptr;
      (is_weight ? weights : others).insert(tensor);
    }
  }
  std::erase_if(weights, [&others](int tensor) { return others.count(tensor) > 0; });
  return weights;
}

// Makes an int2 constant one of int8. Null if the file has too few bytes for it.
std::unique_ptr<char[]> Widen(TfLiteTensor& tensor) {
  const int64_t count = NumElements(&tensor);
  if (tensor.bytes < static_cast<size_t>(count + 3) / 4) return nullptr;
  auto content = std::make_unique<char[]>(count);
  tensor_utils::UnpackPackedIntToInt8(tensor.data.int8, static_cast<int>(count), /*bit_width=*/2,
                                      reinterpret_cast<int8_t*>(content.get()));
  tensor.type = kTfLiteInt8;
  tensor.data.raw = content.get();
  tensor.bytes = count;
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
    for (int tensor : Int2Weights(graph)) {
      if (auto content = Widen(*graph.tensor(tensor))) unpacked.push_back(std::move(content));
    }
  }
  return unpacked;
}

}  // namespace tflite::webnn
