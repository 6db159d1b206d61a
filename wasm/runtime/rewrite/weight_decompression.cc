#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

#include "fp16.h"
#include "runtime/rewrite/mutable_node.h"
#include "runtime/rewrite/rewrites.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/kernels/internal/portable_tensor_utils.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

bool IsNarrow(TfLiteType type) { return type == kTfLiteInt2 || type == kTfLiteInt4 || type == kTfLiteUInt4; }

bool DecompressesConstant(Subgraph& graph, const TfLiteNode& node, const TfLiteRegistration& registration) {
  if (registration.builtin_code != kTfLiteBuiltinDequantize) return false;
  const TfLiteTensor& input = *graph.tensor(node.inputs->data[0]);
  const TfLiteTensor& output = *graph.tensor(node.outputs->data[0]);
  // XNNPACK does not unpack what the caller reads, too; then no reader of it has constant weights.
  const std::vector<int>& outputs = graph.outputs();
  const bool is_output = std::find(outputs.begin(), outputs.end(), node.outputs->data[0]) != outputs.end();
  const bool is_decompressed = IsNarrow(input.type) || (is_output && input.sparsity == nullptr);
  return IsConstantTensor(&input) && is_decompressed && !output.is_variable;
}

// Keeps the content of a tensor, or uses the equal one that another subgraph has from the same constant.
void Keep(std::unique_ptr<char[]> content, const void* constant, TfLiteTensor& tensor, DecompressedWeights& unpacked) {
  for (const DecompressedWeight& known : unpacked) {
    if (known.constant != constant || known.size_bytes != tensor.bytes) continue;
    if (memcmp(known.content.get(), content.get(), tensor.bytes) != 0) continue;
    tensor.data.raw = known.content.get();
    return;
  }
  tensor.data.raw = content.get();
  unpacked.push_back({constant, std::move(content), tensor.bytes});
}

// Lets the node's kernel write the tensor's content. False if the kernel cannot.
bool Dequantize(Subgraph& graph, int node_index, DecompressedWeights& unpacked) {
  auto& [node, registration] = MutableNode(graph, node_index);
  TfLiteContext* context = graph.context();
  if (registration.prepare(context, &node) != kTfLiteOk) return false;
  TfLiteTensor& output = *graph.tensor(node.outputs->data[0]);
  auto content = std::make_unique<char[]>(output.bytes);
  output.data.raw = content.get();
  const TfLiteStatus status = registration.invoke(context, &node);
  if (status != kTfLiteOk) {
    output.data.raw = nullptr;
    return false;
  }
  output.allocation_type = kTfLiteMmapRo;
  Keep(std::move(content), graph.tensor(node.inputs->data[0])->data.raw, output, unpacked);
  return true;
}

bool IsPerTensor(const TfLiteTensor& tensor) {
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
  return tensor.quantization.type == kTfLiteAffineQuantization && affine != nullptr && affine->scale != nullptr &&
         affine->scale->size == 1;
}

// Whether a convolution has weights for a part of its input's channels.
bool HasGroups(const TfLiteTensor& input, const TfLiteTensor& weights) {
  return NumDimensions(&input) == 4 && NumDimensions(&weights) == 4 &&
         SizeOfDimension(&input, 3) != SizeOfDimension(&weights, 3);
}

// The type in which the node's kernel, or XNNPACK, computes with a constant of int2 or int4: its own, if it accepts
// that. Else float32 for float activations, since native LiteRT does not quantize these for such weights.
TfLiteType ComputedType(const Subgraph& graph, const TfLiteNode& node, int op, const TfLiteTensor& weights) {
  const bool is_blockwise = weights.quantization.type == kTfLiteBlockwiseQuantization;
  const bool is_int4 = weights.type == kTfLiteInt4;
  const TfLiteType input = graph.tensor(node.inputs->data[0])->type;
  const bool has_groups = HasGroups(*graph.tensor(node.inputs->data[0]), weights);
  const bool is_float = input == kTfLiteFloat32;
  const TfLiteType wide = is_float ? kTfLiteFloat32 : kTfLiteInt8;
  switch (op) {
    case kTfLiteBuiltinEmbeddingLookup:
      return !is_int4 && is_blockwise ? kTfLiteInt4 : weights.type;
    case kTfLiteBuiltinFullyConnected:
      if (is_int4) return kTfLiteInt4;
      return is_blockwise ? wide : kTfLiteInt8;
    case kTfLiteBuiltinConv2d:
      // TFLite's kernel accepts int4, but unpacks it in each run, and XNNPACK does not.
      if (!is_int4 || has_groups) return wide;
      return is_blockwise ? kTfLiteInt4 : kTfLiteInt8;
    case kTfLiteBuiltinDepthwiseConv2d:
      return is_int4 && input == kTfLiteInt8 ? kTfLiteInt4 : wide;
    case kTfLiteBuiltinBatchMatmul:
    case kTfLiteBuiltinTransposeConv:
      return wide;
    default:
      return weights.type;
  }
}

// The constants of int2 and int4 that all their readers compute with in one wider type.
std::map<int, TfLiteType> NarrowWeights(const Subgraph& graph) {
  std::map<int, TfLiteType> types;
  for (int node_index : graph.execution_plan()) {
    const auto& [node, registration] = *graph.node_and_registration(node_index);
    for (int i = 0; i < node.inputs->size; ++i) {
      const int tensor = node.inputs->data[i];
      if (tensor < 0 || !IsNarrow(graph.tensor(tensor)->type)) continue;
      const TfLiteTensor& weights = *graph.tensor(tensor);
      const bool is_weight = i == 1 && IsConstantTensor(&weights) && weights.sparsity == nullptr;
      const TfLiteType type = is_weight ? ComputedType(graph, node, registration.builtin_code, weights) : weights.type;
      const auto [known, is_new] = types.emplace(tensor, type);
      if (!is_new && known->second != type) known->second = weights.type;
    }
  }
  std::erase_if(types, [&graph](const auto& entry) { return graph.tensor(entry.first)->type == entry.second; });
  return types;
}

// The real numbers of a tensor's integers, as bytes of float32. Null without scales.
std::unique_ptr<char[]> Scaled(const Subgraph& graph, const TfLiteTensor& tensor, const int8_t* values) {
  const int64_t count = NumElements(&tensor);
  auto content = std::make_unique<char[]>(count * sizeof(float));
  const auto set = [&content](int64_t i, float value) { memcpy(&content[i * sizeof(float)], &value, sizeof(value)); };
  if (tensor.quantization.type == kTfLiteBlockwiseQuantization) {
    const auto& blocks = *static_cast<const TfLiteBlockwiseQuantization*>(tensor.quantization.params);
    const auto* scales = static_cast<const uint16_t*>(graph.tensor(blocks.scale)->data.data);
    for (int64_t i = 0; i < count; ++i) set(i, values[i] * fp16_ieee_to_fp32_value(scales[i / blocks.blocksize]));
    return content;
  }
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
  if (tensor.quantization.type != kTfLiteAffineQuantization || affine == nullptr || affine->scale->size == 0) return {};
  int64_t stride = 1;  // of the axis that has scales
  for (int axis = affine->quantized_dimension + 1; axis < NumDimensions(&tensor); ++axis) {
    stride *= SizeOfDimension(&tensor, axis);
  }
  const TfLiteIntArray* zero_points = affine->zero_point;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t channel = i / stride % affine->scale->size;
    const int zero_point =
        zero_points == nullptr || zero_points->size == 0 ? 0 : zero_points->data[channel % zero_points->size];
    set(i, (values[i] - zero_point) * affine->scale->data[channel]);
  }
  return content;
}

// Makes a constant of int2 or int4 one of a wider type, unless the file has too few bytes for it.
void Widen(const Subgraph& graph, TfLiteTensor& tensor, TfLiteType type, DecompressedWeights& unpacked) {
  const int64_t count = NumElements(&tensor);
  const int bits = tensor.type == kTfLiteInt2 ? 2 : 4;
  if (static_cast<int64_t>(tensor.bytes) < (count * bits + 7) / 8) return;
  auto content = std::make_unique<char[]>(count + 1);
  auto* values = reinterpret_cast<int8_t*>(content.get());
  tensor_utils::UnpackPackedIntToInt8(tensor.data.int8, static_cast<int>(count), bits, values);
  const bool is_compressed = type == kTfLiteInt4;
  for (int64_t i = 0; is_compressed && i < count; i += 2) {
    const int next = i + 1 < count ? values[i + 1] : 0;
    values[i / 2] = static_cast<int8_t>((values[i] & 0xF) | (next & 0xF) << 4);
  }
  if (type == kTfLiteFloat32) {
    content = Scaled(graph, tensor, values);
    if (content == nullptr) return;
    TfLiteQuantizationFree(&tensor.quantization);
    tensor.quantization = {kTfLiteNoQuantization, nullptr};
    tensor.params = {};
  }
  tensor.type = type;
  tensor.bytes = type == kTfLiteFloat32 ? count * sizeof(float) : is_compressed ? (count + 1) / 2 : count;
  Keep(std::move(content), tensor.data.raw, tensor, unpacked);
}

// The kernels for float activations and int8 filters read a scale for each channel, those of groups only then.
void GiveScaleToEachChannel(Subgraph& graph, const TfLiteNode& node, int op) {
  if (op != kTfLiteBuiltinDepthwiseConv2d && op != kTfLiteBuiltinConv2d) return;
  const TfLiteTensor& input = *graph.tensor(node.inputs->data[0]);
  TfLiteTensor& weights = *graph.tensor(node.inputs->data[1]);
  if (input.type != kTfLiteFloat32 || weights.type != kTfLiteInt8) return;
  if (!IsPerTensor(weights) || NumDimensions(&weights) != 4) return;
  if (op == kTfLiteBuiltinConv2d && !HasGroups(input, weights)) return;
  const int axis = op == kTfLiteBuiltinConv2d ? 0 : 3;
  auto& affine = *static_cast<TfLiteAffineQuantization*>(weights.quantization.params);
  const int channels = SizeOfDimension(&weights, axis);
  const float scale = affine.scale->data[0];
  const int zero_point = affine.zero_point != nullptr && affine.zero_point->size > 0 ? affine.zero_point->data[0] : 0;
  TfLiteFloatArrayFree(affine.scale);
  TfLiteIntArrayFree(affine.zero_point);
  affine.scale = TfLiteFloatArrayCreate(channels);
  affine.zero_point = TfLiteIntArrayCreate(channels);
  std::fill_n(affine.scale->data, channels, scale);
  std::fill_n(affine.zero_point->data, channels, zero_point);
  affine.quantized_dimension = axis;
}

}  // namespace

DecompressedWeights DecompressWeights(Interpreter& interpreter, bool may_remove_nodes) {
  DecompressedWeights unpacked;
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    Subgraph& graph = *interpreter.subgraph(static_cast<int>(i));
    std::vector<int> plan;
    for (int node_index : graph.execution_plan()) {
      const auto& [node, registration] = *graph.node_and_registration(node_index);
      if (!may_remove_nodes || graph.IsDelegationSkippable() || !DecompressesConstant(graph, node, registration) ||
          !Dequantize(graph, node_index, unpacked)) {
        plan.push_back(node_index);
      }
    }
    if (may_remove_nodes) graph.execution_plan() = std::move(plan);
    for (const auto& [tensor, type] : NarrowWeights(graph)) Widen(graph, *graph.tensor(tensor), type, unpacked);
    for (int node_index : graph.execution_plan()) {
      const auto& [node, registration] = *graph.node_and_registration(node_index);
      GiveScaleToEachChannel(graph, node, registration.builtin_code);
    }
  }
  return unpacked;
}

}  // namespace tflite::webnn
