#include "delegate/model/graph_view.h"

#include <algorithm>
#include <climits>

#include "delegate/model/op_name.h"
#include "delegate/model/unknown_shapes.h"
#include "delegate/quantization/affine.h"
#include "support/elements.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {
namespace {

bool IsFixed(const TfLiteTensor& tensor) {
  return tensor.allocation_type == kTfLiteMmapRo || tensor.allocation_type == kTfLitePersistentRo;
}

}  // namespace

const TfLiteTensor& TensorView::tensor() const {
  WEBNN_DCHECK(index_ >= 0 && index_ < static_cast<int>(graph_->context()->tensors_size));
  return graph_->context()->tensors[index_];
}

std::vector<int> TensorView::shape() const {
  const TfLiteIntArray* dims = tensor().dims;
  return std::vector<int>(dims->data, dims->data + dims->size);
}

std::string TensorView::text() const { return "tensor " + std::to_string(index_) + " '" + name() + "'"; }

bool TensorView::IsConstant() const {
  const bool has_content = IsFixed(tensor()) && tensor().data.raw_const != nullptr;
  return has_content || graph_->DecompressedFrom(index_) >= 0 || graph_->IsEmptyPart(index_);
}

bool TensorView::IsCompressed() const { return tensor().sparsity != nullptr || graph_->DecompressedFrom(index_) >= 0; }

TensorView TensorView::origin() const {
  const int source = graph_->DecompressedFrom(index_);
  return source < 0 ? *this : graph_->tensor(source).origin();
}

std::vector<int> TensorView::ConstantInts() const {
  std::vector<int> values;
  if (!IsFixed(tensor()) || tensor().data.raw_const == nullptr || IsQuantized(tensor())) return values;
  const TfLitePtrUnion& data = tensor().data;
  const int64_t count = NumElements(&tensor());
  for (int64_t i = 0; i < count; ++i) {
    if (type() == kTfLiteInt32) values.push_back(ElementAt<int32_t>(tensor().data.raw_const, i));
    if (type() == kTfLiteInt64) {
      values.push_back(
          static_cast<int>(std::clamp<int64_t>(ElementAt<int64_t>(tensor().data.raw_const, i), INT_MIN, INT_MAX)));
    }
    if (type() == kTfLiteInt8) values.push_back(data.int8[i]);
    if (type() == kTfLiteUInt8 || type() == kTfLiteBool) values.push_back(data.uint8[i]);
  }
  return values;
}

bool TensorView::ConstantFloat(float* value) const {
  if (!IsFixed(tensor()) || tensor().data.raw_const == nullptr || tensor().bytes == 0) return false;
  if (type() == kTfLiteFloat32) {
    *value = ElementAt<float>(tensor().data.raw_const, 0);
    return true;
  }
  if ((type() != kTfLiteInt8 && type() != kTfLiteUInt8) || !IsQuantized(tensor())) return false;
  const auto quantization = ReadAffineQuantization(tensor());
  if (!quantization.ok()) return false;
  const int integer = type() == kTfLiteInt8 ? tensor().data.int8[0] : tensor().data.uint8[0];
  *value = quantization->scales[0] * static_cast<float>(integer - quantization->zero_points[0]);
  return true;
}

std::vector<float> TensorView::ConstantFloats() const {
  if (!IsFixed(tensor()) || tensor().data.raw_const == nullptr || type() != kTfLiteFloat32) return {};
  std::vector<float> values(NumElements(&tensor()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = ElementAt<float>(tensor().data.raw_const, i);
  return values;
}

OpView::OpView(const GraphView* graph, int node_index) : graph_(graph), node_index_(node_index) {
  TfLiteContext* context = graph->context();
  context->GetNodeAndRegistration(context, node_index, &node_, &registration_);
}

bool OpView::IsFolded() const {
  for (int i = 0; i < output_count(); ++i) {
    if (!output(i).IsConstant()) return false;
  }
  return output_count() > 0;
}

const TfLiteContext* OpView::context() const { return graph_->context(); }

const char* OpView::name() const { return OpName(*registration_); }

std::string OpView::label() const { return std::to_string(node_index_) + ":" + name(); }

GraphView::GraphView(TfLiteContext* context) : context_(context) {
  TfLiteIntArray* plan = nullptr;
  if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return;
  nodes_.assign(plan->data, plan->data + plan->size);
  for (int node_index : nodes_) {
    const OpView op(this, node_index);
    for (int i = 0; i < op.input_count(); ++i) {
      if (op.HasInput(i)) consumers_[op.input(i).index()].push_back(node_index);
    }
    for (int i = 0; i < op.output_count(); ++i) writers_[op.output(i).index()] = node_index;
    const bool unpacks = op.builtin_code() == kTfLiteBuiltinDequantize || op.builtin_code() == kTfLiteBuiltinDensify;
    if (!unpacks || !op.HasInput(0) || op.output_count() != 1 || IsFixed(op.output(0).tensor())) continue;
    if (op.input(0).IsConstant()) decompressed_from_[op.output(0).index()] = op.input(0).index();
  }
  FindEmptyParts();
}

void GraphView::FindEmptyParts() {
  const auto& subgraph = *static_cast<const Subgraph*>(context_->impl_);
  const std::set<int> outputs(subgraph.outputs().begin(), subgraph.outputs().end());
  const std::set<int> unknown = TensorsOfUnknownShape(subgraph);
  for (const auto& [tensor_index, readers] : consumers_) {
    if (NumElements(&tensor(tensor_index).tensor()) != 0) continue;
    if (unknown.count(tensor_index) || outputs.count(tensor_index)) continue;
    const bool is_part = std::all_of(readers.begin(), readers.end(), [&](int reader) {
      const OpView op(this, reader);
      return op.builtin_code() == kTfLiteBuiltinConcatenation && !unknown.count(op.output(0).index()) &&
             NumElements(&op.output(0).tensor()) > 0;
    });
    if (is_part) empty_parts_.insert(tensor_index);
  }
}

int GraphView::DecompressedFrom(int tensor_index) const {
  const auto found = decompressed_from_.find(tensor_index);
  return found == decompressed_from_.end() ? -1 : found->second;
}

const std::vector<int>& GraphView::Consumers(int tensor_index) const {
  static const std::vector<int> kNone;
  const auto found = consumers_.find(tensor_index);
  return found == consumers_.end() ? kNone : found->second;
}

int GraphView::Writer(int tensor_index) const {
  const auto found = writers_.find(tensor_index);
  return found == writers_.end() ? -1 : found->second;
}

}  // namespace tflite::webnn
