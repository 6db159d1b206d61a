#include "runtime/validate/graph.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "delegate/model/javascript_op.h"
#include "runtime/validate/budget.h"
#include "runtime/validate/node.h"
#include "runtime/validate/node_info.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {
namespace {

// Sizes in bytes of more overflow in 32-bit code. Strings store their content elsewhere, and kernels unpack what is
// narrower than float32.
constexpr int64_t kMaxSizeBytes = std::numeric_limits<int32_t>::max();
constexpr int64_t kMinElementBytes = 4, kUnknownElementBytes = 16;
// Of a tensor whose content the file has: it is as large as the file at most.
constexpr int64_t kMaxStoredElements = (int64_t{1} << 30) - 1;

bool IndicesInRange(const flatbuffers::Vector<int32_t>* indices, int64_t count, bool optional_allowed) {
  if (indices == nullptr) return true;
  for (const int32_t index : *indices) {
    if (index >= count || index < (optional_allowed ? -1 : 0)) return false;
  }
  return true;
}

int64_t MaxElements(const Model& model, const Tensor& tensor) {
  const int64_t bits = ElementBits(tensor.type());
  if (bits == 0) return kMaxSizeBytes / kUnknownElementBytes;
  const bool is_stored = SizeOf(model.buffers()->Get(tensor.buffer())->data()) > 0 && tensor.sparsity() == nullptr;
  if (is_stored) return std::min(kMaxStoredElements, kMaxSizeBytes * 8 / bits);
  return kMaxSizeBytes / std::max(bits / 8, kMinElementBytes);
}

Status ValidateShape(const Model& model, const Tensor& tensor) {
  if (SizeOf(tensor.shape()) > kMaxRank) {
    return Malformed("has ", SizeOf(tensor.shape()), " dimensions; at most ", kMaxRank, " can be");
  }
  const int64_t max_elements = MaxElements(model, tensor);
  int64_t count = 1;
  for (int64_t i = 0; i < SizeOf(tensor.shape()); ++i) {
    const int64_t size = tensor.shape()->Get(i);
    if (size < 0) return Malformed("has the dimension ", size, " in its shape");
    if (size == 0) return {};
    if (size > max_elements / count) {
      return Malformed("has more than ", max_elements, " elements, which this runtime cannot hold");
    }
    count *= size;
  }
  return {};
}

// TensorFlow Lite rejects constants that are too short; its kernels copy all bytes of those that are too long.
Status ValidateContent(const Model& model, const Tensor& tensor) {
  const int64_t found = SizeOf(model.buffers()->Get(tensor.buffer())->data());
  if (found == 0 || tensor.sparsity() != nullptr || ElementBits(tensor.type()) == 0) return {};
  const int64_t needed = (ElementCount(tensor) * ElementBits(tensor.type()) + 7) / 8;
  if (found <= needed) return {};
  return Malformed("needs ", needed, " bytes and has ", found);
}

Status ValidateScales(const Tensor* tensor, int index) {
  const QuantizationParameters* parameters = tensor ? tensor->quantization() : nullptr;
  for (int64_t i = 0; parameters != nullptr && i < SizeOf(parameters->scale()); ++i) {
    const float scale = parameters->scale()->Get(i);
    if (std::isfinite(scale)) continue;
    return Malformed("cannot compute: tensor ", index, " has the quantization scale ", std::to_string(scale));
  }
  return {};
}

// Kernels that divide by scales abort on infinite quotients: all but those that copy integers are treated as such. A
// bias is in its convolution's scale whatever the file says.
Status ValidateScales(const NodeInfo& node) {
  switch (node.op()) {
#define COPIES(name)           \
  case BuiltinOperator_##name: \
    return {};
#include "tflite_kernels/op_table.def"
    default:
      break;
  }
  const auto weights = FindWeightInputs(node.op());
  for (int i = 0; i < node.input_count(); ++i) {
    if (!weights || i != weights->bias) RETURN_IF_ERROR(ValidateScales(node.input(i), node.node().inputs()->Get(i)));
  }
  for (int i = 0; i < node.output_count(); ++i) {
    RETURN_IF_ERROR(ValidateScales(node.output(i), node.node().outputs()->Get(i)));
  }
  return {};
}

// Kernels and XNNPACK's delegate read the scales of blocks, in another tensor, unchecked. These other
// tensors must be checked before.
Status ValidateBlocks(const Model& model, const SubGraph& subgraph, const Tensor& tensor) {
  const QuantizationParameters* parameters = tensor.quantization();
  if (parameters == nullptr || parameters->details_type() != QuantizationDetails_BlockwiseQuantization) return {};
  const BlockwiseQuantization* blocks = parameters->details_as_BlockwiseQuantization();
  if (blocks == nullptr) return Malformed("is quantized in blocks without saying how");
  const int64_t tensor_count = SizeOf(subgraph.tensors());
  if (blocks->scales() < 0 || blocks->scales() >= tensor_count || blocks->zero_points() >= tensor_count) {
    return Malformed("names scales or zero points of its blocks that do not exist");
  }
  const Tensor& scales = *subgraph.tensors()->Get(blocks->scales());
  const Buffer& stored = *model.buffers()->Get(scales.buffer());
  const bool is_constant = (SizeOf(stored.data()) > 0 || stored.offset() > 1) && scales.sparsity() == nullptr;
  if (scales.type() != TensorType_FLOAT16 || !is_constant)
    return Malformed("has scales of blocks that are no float16 constant");
  const int64_t block_count = ElementCount(scales), size = blocks->block_size();
  const int64_t row_size = SizeOf(tensor.shape()) == 0 ? 0 : tensor.shape()->Get(SizeOf(tensor.shape()) - 1);
  if (size > 0 && row_size % size == 0 && block_count == ElementCount(tensor) / size) return {};
  return Malformed("has ", block_count, " scales, which do not fit its blocks of ", size);
}

// TFLite's builder rejects these, too, in a text for its developers.
Status ValidateAxis(const Tensor& tensor) {
  const QuantizationParameters* parameters = tensor.quantization();
  const int64_t count = parameters == nullptr ? 0 : SizeOf(parameters->scale());
  const int64_t rank = SizeOf(tensor.shape());
  if (count == 0 || SizeOf(parameters->zero_point()) == 0 || (rank == 0 && count == 1)) return {};
  if (parameters->details_type() == QuantizationDetails_BlockwiseQuantization) return {};
  const std::string hint = "; convert the model again with another quantized_dimension";
  const int axis = parameters->quantized_dimension();
  if (axis < 0 || axis >= rank) return Malformed("has scales along axis ", axis, ", which it does not have", hint);
  const int size = tensor.shape()->Get(axis);
  if (count == 1 || count == size) return {};
  return Malformed("has ", count, " scales for the ", size, " elements of axis ", axis, hint);
}

Status ValidateTensor(const Model& model, const SubGraph&, const Tensor& tensor) {
  if (tensor.buffer() >= SizeOf(model.buffers())) return Malformed("names a buffer that does not exist");
  RETURN_IF_ERROR(ValidateShape(model, tensor));
  RETURN_IF_ERROR(ValidateAxis(tensor));
  return ValidateContent(model, tensor);
}

Status ValidateTensors(const Model& model, const SubGraph& subgraph) {
  for (const auto validate : {ValidateTensor, ValidateBlocks}) {
    for (int64_t i = 0; i < SizeOf(subgraph.tensors()); ++i) {
      Status status = validate(model, subgraph, *subgraph.tensors()->Get(i));
      if (!status.ok()) return std::move(status).WithPrefix("tensor ", i, " ");
    }
  }
  return {};
}

// Kernels check a constant once, before the first run; a caller would change it afterwards.
Status ValidateInputs(const Model& model, const SubGraph& subgraph) {
  const auto is_constant = [&](int32_t index) {
    const Buffer& stored = *model.buffers()->Get(subgraph.tensors()->Get(index)->buffer());
    return SizeOf(stored.data()) > 0 || stored.offset() > 1;
  };
  for (int64_t i = 0; i < SizeOf(subgraph.inputs()); ++i) {
    if (is_constant(subgraph.inputs()->Get(i))) return Malformed("input ", i, " is a constant");
  }
  return {};
}

// Nodes run in the order of the file, so an earlier node must write what a node reads.
Status ValidateOrder(const SubGraph& subgraph) {
  std::vector<int64_t> maker(SizeOf(subgraph.tensors()), -1);
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& op = *subgraph.operators()->Get(i);
    for (int64_t j = 0; j < SizeOf(op.outputs()); ++j) maker[op.outputs()->Get(j)] = i;
  }
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& op = *subgraph.operators()->Get(i);
    for (int64_t j = 0; j < SizeOf(op.inputs()); ++j) {
      const int32_t tensor = op.inputs()->Get(j);
      if (tensor >= 0 && maker[tensor] >= i && !subgraph.tensors()->Get(tensor)->is_variable()) {
        return Malformed("node ", i, " reads tensor ", tensor, ", which node ", maker[tensor], " writes only later");
      }
    }
  }
  return {};
}

std::string CountText(const TensorCount& count) {
  if (count.min == count.max) return std::to_string(count.min);
  if (count.max == kAny) return "at least " + std::to_string(count.min);
  return std::to_string(count.min) + " to " + std::to_string(count.max);
}

Status ValidateTensorCounts(const NodeInfo& node) {
  const OpInfo* info = FindOpInfo(node.op(), node.op_name());
  if (info == nullptr) return {};
  const auto& [inputs, outputs, optional_inputs] = info->signature;
  if (!inputs.Allows(node.input_count())) {
    return Malformed("has ", node.input_count(), " inputs; the op accepts ", CountText(inputs));
  }
  if (!outputs.Allows(node.output_count())) {
    return Malformed("has ", node.output_count(), " outputs; the op has ", CountText(outputs));
  }
  for (int i = 0; i < node.input_count(); ++i) {
    if (node.input(i) == nullptr && !info->signature.IsOptional(i)) {
      return Malformed("leaves out input ", i, ", which is not optional");
    }
  }
  return {};
}

// Counts and options are checked for this module's kernel of the name, which a function may replace.
bool IsInJavascript(const NodeInfo& node, const OpResolver& resolver) {
  if (node.op() != BuiltinOperator_CUSTOM) return false;
  const TfLiteRegistration* registration = resolver.FindOp(node.op_name(), node.code().version());
  return registration != nullptr && IsJavascriptOp(*registration);
}

// Checked first: the other checks use the indices.
Status ValidateIndices(const Model& model, const SubGraph& subgraph) {
  const int64_t tensor_count = SizeOf(subgraph.tensors());
  if (!IndicesInRange(subgraph.inputs(), tensor_count, false))
    return Malformed("an input names a tensor that does not exist");
  if (!IndicesInRange(subgraph.outputs(), tensor_count, false))
    return Malformed("an output names a tensor that does not exist");
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& op = *subgraph.operators()->Get(i);
    if (op.opcode_index() >= SizeOf(model.operator_codes()) || !IndicesInRange(op.inputs(), tensor_count, true) ||
        !IndicesInRange(op.outputs(), tensor_count, false) ||
        !IndicesInRange(op.intermediates(), tensor_count, false)) {
      return Malformed("node ", i, " names an op or a tensor that does not exist");
    }
  }
  return {};
}

}  // namespace

Status ValidateGraph(const Model& model, const SubGraph& subgraph, const OpResolver& resolver) {
  RETURN_IF_ERROR(ValidateIndices(model, subgraph));
  RETURN_IF_ERROR(ValidateTensors(model, subgraph));
  RETURN_IF_ERROR(ValidateInputs(model, subgraph));
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const NodeInfo node(model, subgraph, *subgraph.operators()->Get(i));
    const bool has_kernel = !IsInJavascript(node, resolver);
    Status status = has_kernel ? ValidateTensorCounts(node) : Status();
    if (status.ok()) status = ValidateScales(node);
    if (status.ok() && has_kernel) status = ValidateNode(node);
    if (!status.ok()) {
      return std::move(status).WithPrefix("node ", i, " (", node.op_name(), ") ");
    }
  }
  return ValidateOrder(subgraph);
}

}  // namespace tflite::webnn
