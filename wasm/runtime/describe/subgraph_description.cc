#include "runtime/describe/subgraph_description.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "delegate/model/op_name.h"
#include "runtime/describe/tensor_description.h"
#include "runtime/execute/execution_plan.h"
#include "runtime/execute/partition_report.h"
#include "support/json_writer.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {
namespace {

const char* AllocationTypeName(TfLiteAllocationType type) {
  switch (type) {
    case kTfLiteMemNone:
      return "none";
    case kTfLiteMmapRo:
      return "mmap-ro";
    case kTfLiteArenaRw:
      return "arena-rw";
    case kTfLiteArenaRwPersistent:
      return "arena-rw-persistent";
    case kTfLiteDynamic:
      return "dynamic";
    case kTfLitePersistentRo:
      return "persistent-ro";
    case kTfLiteCustom:
      return "custom";
    case kTfLiteVariantObject:
      return "variant-object";
    case kTfLiteNonCpu:
      return "non-cpu";
  }
}

// Null where the tensor is not quantized in blocks.
const TfLiteBlockwiseQuantization* Blocks(const TfLiteTensor& tensor) {
  if (tensor.quantization.type != kTfLiteBlockwiseQuantization) return nullptr;
  return static_cast<const TfLiteBlockwiseQuantization*>(tensor.quantization.params);
}

void WriteDimension(JsonWriter& json, const TfLiteDimensionMetadata& dimension) {
  json.BeginObject();
  json.Field("format", static_cast<int>(dimension.format));
  if (dimension.format == kTfLiteDimDense) {
    json.Field("denseSize", dimension.dense_size);
  } else {
    json.Field("arraySegments", ElementsOf(dimension.array_segments));
    json.Field("arrayIndices", ElementsOf(dimension.array_indices));
  }
  json.EndObject();
}

void WriteSparsity(JsonWriter& json, const TfLiteSparsity* sparsity) {
  if (sparsity == nullptr) return json.Field("sparsity", nullptr);
  json.BeginObject("sparsity");
  json.Field("traversalOrder", ElementsOf(sparsity->traversal_order));
  json.Field("blockMap", ElementsOf(sparsity->block_map));
  json.BeginArray("dimMetadata");
  for (int i = 0; i < sparsity->dim_metadata_size; ++i) WriteDimension(json, sparsity->dim_metadata[i]);
  json.EndArray();
  json.EndObject();
}

void WriteAllOfTensor(JsonWriter& json, const TfLiteTensor& tensor, int index) {
  BeginTensor(json, tensor, index);
  json.Field("type", TfLiteTypeGetName(tensor.type));
  json.Field("scale", tensor.params.scale);
  json.Field("zeroPoint", tensor.params.zero_point);
  json.Field("isVariable", tensor.is_variable);
  json.Field("allocationType", AllocationTypeName(tensor.allocation_type));
  json.Field("isAllocated", tensor.data.raw != nullptr || tensor.bytes == 0);
  const TfLiteBlockwiseQuantization* blocks = Blocks(tensor);
  json.Field("blockSize", blocks ? blocks->blocksize : 0);
  json.Field("blockScales", blocks ? blocks->scale : -1);
  WriteSparsity(json, tensor.sparsity);
  json.EndObject();
}

// The plan before delegation, then the delegates' nodes.
std::vector<int> OrderedNodes(const Subgraph& graph) {
  const std::vector<int>& first_plan = graph.pre_delegation_execution_plan();
  std::vector<int> nodes = first_plan.empty() ? graph.execution_plan() : first_plan;
  for (int index : graph.execution_plan()) {
    if (graph.node_and_registration(index)->first.delegate != nullptr) nodes.push_back(index);
  }
  return nodes;
}

void WriteNode(JsonWriter& json, const std::pair<TfLiteNode, TfLiteRegistration>& entry, int index) {
  const auto& [node, registration] = entry;
  json.NewLine();
  json.BeginObject();
  json.Field("index", index);
  json.Field("op", OpName(registration));
  json.Field("inputs", ElementsOf(node.inputs));
  json.Field("outputs", ElementsOf(node.outputs));
  json.Field("temporaries", ElementsOf(node.temporaries));
  json.EndObject();
}

using SignatureTensors = flatbuffers::Vector<flatbuffers::Offset<TensorMap>>;

void WriteSignatureTensors(JsonWriter& json, const char* key, const SignatureTensors& tensors) {
  std::map<std::string, uint32_t> by_name;  // of equal names, the last counts: as in TFLite
  for (const TensorMap* tensor : tensors) {
    if (tensor->name() != nullptr) by_name[tensor->name()->c_str()] = tensor->tensor_index();
  }
  json.BeginArray(key);
  for (const auto& [name, tensor] : by_name) {
    json.BeginObject();
    json.Field("name", name);
    json.Field("tensor", tensor);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string DescribeTensors(const Session& session, int subgraph_index) {
  const Subgraph* graph = session.interpreter().subgraph(subgraph_index);
  if (graph == nullptr) return "";
  JsonWriter json;
  json.BeginArray();
  std::set<int> temporaries;
  for (int node : graph->execution_plan()) {
    const TfLiteIntArray* list = graph->node_and_registration(node)->first.temporaries;
    if (list != nullptr) temporaries.insert(list->data, list->data + list->size);
  }
  int count = static_cast<int>(graph->tensors_size());
  // XnnpackPartitions reserves tensors behind those of the file, for kernels that do not run.
  while (count > 0 && graph->tensor(count - 1)->name == nullptr && temporaries.count(count - 1) == 0) --count;
  for (int index = 0; index < count; ++index) {
    WriteAllOfTensor(json, *session.tensor(index, subgraph_index), index);
  }
  json.EndArray();
  return json.Take();
}

std::string DescribeNodes(const Session& session, int subgraph_index) {
  const Subgraph* graph = session.interpreter().subgraph(subgraph_index);
  if (graph == nullptr) return "";
  JsonWriter json;
  json.BeginArray();
  for (int index : OrderedNodes(*graph)) WriteNode(json, *graph->node_and_registration(index), index);
  json.EndArray();
  return json.Take();
}

std::string DescribeUpdatesInPlace(const Session& session, int subgraph_index) {
  const Subgraph* graph = session.interpreter().subgraph(subgraph_index);
  if (graph == nullptr) return "";
  JsonWriter json;
  json.BeginArray();
  for (const auto& [input, output] : UpdatesInPlace(*graph)) json.Value(std::array{input, output});
  json.EndArray();
  return json.Take();
}

void WriteSignatures(JsonWriter& json, const Model& model) {
  json.BeginArray("signatures");
  if (const auto* signatures = model.signature_defs()) {
    for (const SignatureDef* signature : *signatures) {
      json.BeginObject();
      json.Field("key", std::string(signature->signature_key()->c_str()));
      json.Field("subgraph", static_cast<int>(signature->subgraph_index()));
      WriteSignatureTensors(json, "inputs", *signature->inputs());
      WriteSignatureTensors(json, "outputs", *signature->outputs());
      json.EndObject();
    }
  }
  json.EndArray();
}

}  // namespace tflite::webnn
