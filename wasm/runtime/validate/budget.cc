#include "runtime/validate/budget.h"

#include "runtime/validate/node_facts.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {
namespace {

// What TensorFlow Lite, the delegates and the description read of a tensor wherever it is named.
uint64_t NamedBytes(const Tensor& tensor) {
  uint64_t size_bytes = (SizeOf(tensor.shape()) + SizeOf(tensor.shape_signature())) * sizeof(int32_t);
  if (tensor.name() != nullptr) size_bytes += tensor.name()->size();
  if (const QuantizationParameters* parameters = tensor.quantization()) {
    size_bytes += SizeOf(parameters->scale()) * sizeof(float) + SizeOf(parameters->zero_point()) * sizeof(int64_t);
  }
  return size_bytes;
}

uint64_t NamedBytes(const SubGraph& subgraph, const flatbuffers::Vector<int32_t>* indices) {
  uint64_t size_bytes = 0;
  for (int64_t i = 0; i < SizeOf(indices); ++i) {
    const int32_t index = indices->Get(i);
    if (index >= 0 && index < SizeOf(subgraph.tensors())) size_bytes += NamedBytes(*subgraph.tensors()->Get(index));
  }
  return size_bytes;
}

uint64_t NamedBytes(const SubGraph& subgraph) {
  uint64_t size_bytes = NamedBytes(subgraph, subgraph.inputs()) + NamedBytes(subgraph, subgraph.outputs());
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& node = *subgraph.operators()->Get(i);
    size_bytes += NamedBytes(subgraph, node.inputs()) + NamedBytes(subgraph, node.outputs());
  }
  return size_bytes;
}

Status ValidateCount(int64_t count, int64_t max_count, const char* what) {
  if (count <= max_count) return {};
  return Malformed("it has ", count, " ", what, "; at most ", max_count, " can be");
}

}  // namespace

Status ValidateBudget(const Model& model, size_t file_size_bytes) {
  const int64_t subgraph_count = SizeOf(model.subgraphs());
  RETURN_IF_ERROR(ValidateCount(subgraph_count, kMaxSubgraphs, "subgraphs"));
  RETURN_IF_ERROR(ValidateCount(SizeOf(model.signature_defs()), kMaxSignatures, "signatures"));
  uint64_t size_bytes = 0;
  for (int64_t i = 0; i < subgraph_count; ++i) size_bytes += NamedBytes(*model.subgraphs()->Get(i));
  for (int64_t i = 0; i < SizeOf(model.metadata()); ++i) {
    const uint32_t index = model.metadata()->Get(i)->buffer();
    if (index < SizeOf(model.buffers())) size_bytes += SizeOf(model.buffers()->Get(index)->data());
  }
  if (size_bytes <= MaxContentBytes(file_size_bytes)) return {};
  return Malformed("its nodes, subgraphs and metadata name ", size_bytes,
                   " bytes of names, shapes, scales and content; a file of its size may name ",
                   MaxContentBytes(file_size_bytes));
}

Status ValidateLoad(const LoadScope& scope) {
  if (scope.ComputesTooMuch()) {
    return Error(error_code::kAllocateTensorsFailed,
                 "the model is too large: what it computes before its first run takes more than ", kMaxComputedBytes,
                 " bytes");
  }
  if (scope.PlansTooMuch()) {
    return Error(error_code::kAllocateTensorsFailed,
                 "the model is too large: its graphs have too many tensors: the memory planner compares more than ",
                 kMaxPlannedPairs, " pairs of them");
  }
  return {};
}

}  // namespace tflite::webnn
