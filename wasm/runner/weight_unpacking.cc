#include "runner/weight_unpacking.h"

#include <cstdint>
#include <cstring>
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
  const TfLiteTensor& output = *graph.tensor(node.outputs->data[0]);
  return IsConstantTensor(&input) && IsNarrow(input.type) && !output.is_variable;
}

// Keeps the content of a tensor, or takes the equal one that another subgraph has from the same constant.
void Keep(std::unique_ptr<char[]> content, const void* constant, TfLiteTensor& tensor, UnpackedWeights& unpacked) {
  for (const UnpackedWeight& known : unpacked) {
    if (known.constant != constant || known.size_bytes != tensor.bytes) continue;
    if (memcmp(known.content.get(), content.get(), tensor.bytes) != 0) continue;
    tensor.data.raw = known.content.get();
    return;
  }
  tensor.data.raw = content.get();
  unpacked.push_back({constant, std::move(content), tensor.bytes});
}

// Lets the node's kernel write the tensor's content. False if the kernel cannot.
bool Dequantize(Subgraph& graph, int node_index, UnpackedWeights& unpacked) {
  const auto& [node, registration] = *graph.node_and_registration(node_index);
  TfLiteContext* context = graph.context();
  if (registration.prepare(context, const_cast<TfLiteNode*>(&node)) != kTfLiteOk) return false;
  TfLiteTensor& output = *graph.tensor(node.outputs->data[0]);
  auto content = std::make_unique<char[]>(output.bytes);
  output.data.raw = content.get();
  const TfLiteStatus status = registration.invoke(context, const_cast<TfLiteNode*>(&node));
  if (status != kTfLiteOk) {
    output.data.raw = nullptr;
    return false;
  }
  output.allocation_type = kTfLiteMmapRo;
  Keep(std::move(content), graph.tensor(node.inputs->data[0])->data.raw, output, unpacked);
  return true;
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

// Makes an int2 constant one of int8, unless the file has too few bytes for it.
void Widen(TfLiteTensor& tensor, UnpackedWeights& unpacked) {
  const int64_t count = NumElements(&tensor);
  if (tensor.bytes < static_cast<size_t>(count + 3) / 4) return;
  auto content = std::make_unique<char[]>(count);
  tensor_utils::UnpackPackedIntToInt8(tensor.data.int8, static_cast<int>(count), /*bit_width=*/2,
                                      reinterpret_cast<int8_t*>(content.get()));
  tensor.type = kTfLiteInt8;
  tensor.bytes = count;
  Keep(std::move(content), tensor.data.raw, tensor, unpacked);
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
      if (!UnpacksNarrowConstant(graph, node, registration) || !Dequantize(graph, node_index, unpacked)) {
        plan.push_back(node_index);
      }
    }
    graph.execution_plan() = std::move(plan);
    for (int tensor : Int2Weights(graph)) Widen(*graph.tensor(tensor), unpacked);
  }
  return unpacked;
}

}  // namespace tflite::webnn
