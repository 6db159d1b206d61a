#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_INFO_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_INFO_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "tensorflow/compiler/mlir/lite/schema/schema_utils.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// The size of a flatbuffer's vector, 0 if the file omits it.
template <typename T>
int64_t SizeOf(const flatbuffers::Vector<T>* vector) {
  return vector ? vector->size() : 0;
}

inline int64_t ElementCount(const Tensor& tensor) {
  int64_t count = 1;
  for (int64_t i = 0; i < SizeOf(tensor.shape()); ++i) count *= tensor.shape()->Get(i);
  return count;
}

// 0 for types without a fixed element size.
int64_t ElementBits(TensorType type);

// A node in the file, before there is an interpreter. Its indices must be checked already.
class NodeInfo {
 public:
  NodeInfo(const Model& model, const SubGraph& subgraph, const Operator& node)
      : model_(model), subgraph_(subgraph), node_(node), op_(GetBuiltinCode(&code())) {}

  const Operator& node() const { return node_; }
  const OperatorCode& code() const { return *model_.operator_codes()->Get(node_.opcode_index()); }
  BuiltinOperator op() const { return op_; }
  const char* op_name() const {
    const bool is_named_custom_op = op() == BuiltinOperator_CUSTOM && code().custom_code() != nullptr;
    return is_named_custom_op ? code().custom_code()->c_str() : EnumNameBuiltinOperator(op());
  }
  int input_count() const { return static_cast<int>(SizeOf(node_.inputs())); }
  int output_count() const { return static_cast<int>(SizeOf(node_.outputs())); }
  // Null for an optional input that is left out, and for an index beyond the inputs.
  const Tensor* input(int i) const { return TensorAt(node_.inputs(), i); }
  const Tensor* output(int i) const { return TensorAt(node_.outputs(), i); }
  // The tensor's content if the file has it; else null or empty.
  const flatbuffers::Vector<uint8_t>* content(const Tensor& tensor) const {
    return model_.buffers()->Get(tensor.buffer())->data();
  }
  bool IsConstant(const Tensor& tensor) const { return SizeOf(content(tensor)) > 0; }
  // TensorFlow's converter writes a tensor whose rank it does not know without dimensions, like a scalar.
  bool MayHaveAnyRank(const Tensor& tensor) const {
    return SizeOf(tensor.shape()) == 0 && !tensor.has_rank() && !IsConstant(tensor);
  }
  // The elements of an int32 or int64 constant; empty for other tensors.
  std::vector<int64_t> ConstantIntegers(const Tensor& tensor) const;

 private:
  const Tensor* TensorAt(const flatbuffers::Vector<int32_t>* indices, int i) const {
    if (i >= SizeOf(indices) || indices->Get(i) < 0) return nullptr;
    return subgraph_.tensors()->Get(indices->Get(i));
  }

  const Model& model_;
  const SubGraph& subgraph_;
  const Operator& node_;
  const BuiltinOperator op_;  // every check reads it
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_INFO_H_
