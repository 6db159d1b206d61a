#include "runtime/validate/budget.h"

#include "runtime/validate/node_info.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {
namespace {

// A table that is named once takes at least 8 bytes of the file, with the offset that names it: then it is within
// budget.
constexpr uint64_t kTableBytes = 24;

template <typename T>
uint64_t BytesOf(const flatbuffers::Vector<T>* vector) {
  return SizeOf(vector) * sizeof(T);
}

// What TensorFlow Lite, the delegates and the description read of a tensor wherever it is named.
uint64_t NamedBytes(const Tensor& tensor) {
  uint64_t size_bytes = BytesOf(tensor.shape()) + BytesOf(tensor.shape_signature()) + BytesOf(tensor.name());
  if (const QuantizationParameters* parameters = tensor.quantization()) {
    size_bytes += BytesOf(parameters->scale()) + BytesOf(parameters->zero_point());
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

// Counts the tables of a file, and the vectors and strings that a load reads of them, each as often as an offset names
// it. It ends where a file has too much.
class Expansion {
 public:
  Expansion(const Model& model, size_t file_size_bytes) : max_bytes_(MaxContentBytes(file_size_bytes)) {
    AddEach(model.operator_codes());
    AddEach(model.signature_defs());
    AddEach(model.metadata());
    AddEach(model.buffers());
    AddEach(model.subgraphs());
  }

  bool IsOverBudget() const { return bytes_ > max_bytes_; }
  uint64_t bytes() const { return bytes_; }
  uint64_t tables() const { return tables_; }

 private:
  template <typename T>
  void AddEach(const flatbuffers::Vector<flatbuffers::Offset<T>>* tables) {
    for (int64_t i = 0; i < SizeOf(tables) && !IsOverBudget(); ++i) AddTable(tables->Get(i));
  }

  template <typename T>
  void AddTable(const T* table) {
    if (table == nullptr) return;
    ++tables_;
    bytes_ += kTableBytes;
    Add(*table);
  }

  template <typename T>
  void AddVector(const flatbuffers::Vector<T>* vector) {
    bytes_ += BytesOf(vector);
  }

  void Add(const Buffer&) {}  // content is not read with its table
  void Add(const OperatorCode& code) { AddVector(code.custom_code()); }
  void Add(const Metadata& metadata) { AddVector(metadata.name()); }
  void Add(const TensorMap& map) { AddVector(map.name()); }
  void Add(const SignatureDef& signature) {
    AddVector(signature.signature_key());
    AddEach(signature.inputs());
    AddEach(signature.outputs());
  }

  void Add(const SubGraph& subgraph) {
    AddVector(subgraph.name());
    AddVector(subgraph.inputs());
    AddVector(subgraph.outputs());
    AddEach(subgraph.tensors());
    AddEach(subgraph.operators());
  }

  void Add(const Tensor& tensor) {
    bytes_ += NamedBytes(tensor);
    AddTable(tensor.quantization());
    AddTable(tensor.sparsity());
    AddEach(tensor.variant_tensors());
  }
  void Add(const VariantSubType& type) { AddVector(type.shape()); }
  void Add(const QuantizationParameters& parameters) {
    AddVector(parameters.min());
    AddVector(parameters.max());
  }
  void Add(const SparsityParameters& sparsity) {
    AddVector(sparsity.traversal_order());
    AddVector(sparsity.block_map());
    AddEach(sparsity.dim_metadata());
  }
  void Add(const DimensionMetadata& dimension) {
    AddIndices(dimension.array_segments_type(), dimension.array_segments());
    AddIndices(dimension.array_indices_type(), dimension.array_indices());
  }
  void AddIndices(SparseIndexVector type, const void* indices) {
    if (indices == nullptr) return;
    if (type == SparseIndexVector_Int32Vector) AddVector(static_cast<const Int32Vector*>(indices)->values());
    if (type == SparseIndexVector_Uint16Vector) AddVector(static_cast<const Uint16Vector*>(indices)->values());
    if (type == SparseIndexVector_Uint8Vector) AddVector(static_cast<const Uint8Vector*>(indices)->values());
  }

  void Add(const Operator& node) {
    AddVector(node.inputs());
    AddVector(node.outputs());
    AddVector(node.intermediates());
    AddVector(node.mutating_variable_inputs());
    AddVector(node.custom_options());
    bytes_ += node.large_custom_options_size();
    if (node.builtin_options() != nullptr || node.builtin_options_2() != nullptr) bytes_ += kTableBytes;
    // Of other options, the parser reads a few elements, or none.
    if (const BucketizeOptions* options = node.builtin_options_as_BucketizeOptions()) AddVector(options->boundaries());
    if (const VarHandleOptions* options = node.builtin_options_as_VarHandleOptions()) {
      AddVector(options->container());
      AddVector(options->shared_name());
    }
    if (const auto* options = node.builtin_options_2_as_StableHLOCompositeOptions()) {
      AddVector(options->name());
      AddVector(options->composite_attributes());
    }
  }

  const uint64_t max_bytes_;
  uint64_t bytes_ = 0;
  uint64_t tables_ = 0;
};

Status ValidateCount(int64_t count, int64_t max_count, const char* what) {
  if (count <= max_count) return {};
  return Malformed("it has ", count, " ", what, "; at most ", max_count, " can be");
}

}  // namespace

Status ValidateBudget(const Model& model, size_t file_size_bytes) {
  const Expansion expansion(model, file_size_bytes);
  if (expansion.IsOverBudget()) {
    return Malformed("it names content again and again: its first ", expansion.tables(), " tables have ",
                     expansion.bytes(), " bytes; a file of ", file_size_bytes, " bytes may have ",
                     MaxContentBytes(file_size_bytes), ", each as often as it is named");
  }
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
