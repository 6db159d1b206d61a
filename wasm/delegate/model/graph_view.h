#ifndef TFLITE_WEBNN_DELEGATE_MODEL_GRAPH_VIEW_H_
#define TFLITE_WEBNN_DELEGATE_MODEL_GRAPH_VIEW_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "delegate/graph/data_type.h"
#include "delegate/model/javascript_op.h"
#include "support/check.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

class GraphView;

// A tensor as the lowering functions see it.
class TensorView {
 public:
  TensorView(const GraphView* graph, int index) : graph_(graph), index_(index) {}

  int index() const { return index_; }
  const TfLiteTensor& tensor() const;
  TfLiteType type() const { return tensor().type; }
  const char* name() const { return tensor().name ? tensor().name : ""; }
  std::vector<int> shape() const;
  int rank() const { return tensor().dims->size; }
  // Counted from the end when negative.
  int dim(int axis) const {
    WEBNN_DCHECK(axis >= -rank() && axis < rank());
    return tensor().dims->data[axis < 0 ? axis + rank() : axis];
  }

  // "tensor 7 'logits'", for messages.
  std::string text() const;

  // True if the values are known while the graph is built: constants of the model, the outputs of DEQUANTIZE
  // and DENSIFY on constants, and empty parts of a concatenation.
  bool IsConstant() const;
  // Whether the graph cannot use the constant's bytes as they are: sparse, or unpacked from another tensor.
  bool IsCompressed() const;
  // The tensor of the model that holds the constant's bytes: this one, or the one it is unpacked from.
  TensorView origin() const;
  // The elements of a constant integer tensor, clamped to int; empty for any other tensor.
  std::vector<int> ConstantInts() const;
  // The first element of a constant float32 tensor, or of a quantized one.
  bool ConstantFloat(float* value) const;
  // The elements of a constant float32 tensor; empty for anything else.
  std::vector<float> ConstantFloats() const;

 private:
  const GraphView* graph_;
  int index_;
};

// A node as the lowering functions see it.
class OpView {
 public:
  OpView(const GraphView* graph, int node_index);

  int node_index() const { return node_index_; }
  int builtin_code() const { return registration_->builtin_code; }
  int version() const { return registration_->version; }
  // "CONV_2D", or the custom op's own name.
  const char* name() const;
  bool is_javascript() const { return IsJavascriptOp(*registration_); }
  // "7:CONV_2D": MLOperatorOptions.label of everything lowered from this node.
  std::string label() const;

  int input_count() const { return node_->inputs->size; }
  int output_count() const { return node_->outputs->size; }
  // False for an optional input that is left out.
  bool HasInput(int i) const { return i < input_count() && node_->inputs->data[i] >= 0; }
  TensorView input(int i) const {
    WEBNN_DCHECK(i >= 0 && i < input_count());
    return TensorView(graph_, node_->inputs->data[i]);
  }
  // For nodes that no kernel has checked.
  bool HasRank(int i, int rank) const { return HasInput(i) && input(i).rank() == rank; }
  int LastSize(int i) const { return HasInput(i) && input(i).rank() > 0 ? input(i).dim(-1) : 0; }
  TensorView output(int i) const {
    WEBNN_DCHECK(i >= 0 && i < output_count());
    return TensorView(graph_, node_->outputs->data[i]);
  }

  // The node's readers see constants: results that TFLite computed while it prepared the graph, a constant that a
  // DEQUANTIZE or a DENSIFY unpacks (GraphView::DecompressedFrom), or nothing (GraphView::IsEmptyPart).
  bool IsFolded() const;

  const TfLiteContext* context() const;
  const TfLiteNode& node() const { return *node_; }
  template <typename Params>
  const Params& params() const {
    WEBNN_DCHECK(node_->builtin_data != nullptr);
    return *static_cast<const Params*>(node_->builtin_data);
  }

 private:
  const GraphView* graph_;
  int node_index_;
  TfLiteNode* node_ = nullptr;
  TfLiteRegistration* registration_ = nullptr;
};

// The execution plan before delegation: which nodes write and read a tensor, and which tensors are
// constant. Valid until the TfLiteContext changes or goes.
class GraphView {
 public:
  explicit GraphView(TfLiteContext* context);

  TfLiteContext* context() const { return context_; }
  const std::vector<int>& nodes() const { return nodes_; }
  OpView op(int node_index) const { return OpView(this, node_index); }
  TensorView tensor(int index) const { return TensorView(this, index); }

  // The constant from which a DEQUANTIZE or a DENSIFY makes this tensor, or -1.
  int DecompressedFrom(int tensor_index) const;
  const std::vector<int>& Consumers(int tensor_index) const;
  // The node that writes the tensor, or -1.
  int Writer(int tensor_index) const;
  // Whether the tensor has no elements, and only CONCATENATION reads it, which leaves it out.
  bool IsEmptyPart(int tensor_index) const { return empty_parts_.count(tensor_index) > 0; }

 private:
  void FindEmptyParts();

  TfLiteContext* context_;
  std::vector<int> nodes_;
  std::map<int, int> decompressed_from_;
  std::map<int, std::vector<int>> consumers_;
  std::map<int, int> writers_;
  std::set<int> empty_parts_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_MODEL_GRAPH_VIEW_H_
