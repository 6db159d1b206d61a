#include "runtime/validate/graph_check.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/validate/budget.h"
#include "runtime/validate/node_check.h"
#include "runtime/validate/node_facts.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {
namespace {

// Sizes in bytes of more overflow in 32-bit code: the widest element, complex128, has 16. Strings store their content
// elsewhere.
constexpr int64_t kMaxElements = std::numeric_limits<int32_t>::max() / 16;

bool IndicesInRange(const flatbuffers::Vector<int32_t>* indices, int64_t count, bool optional_allowed) {
  if (indices == nullptr) return true;
  for (const int32_t index : *indices) {
    if (index >= count || index < (optional_allowed ? -1 : 0)) return false;
  }
  return true;
}

std::string ShapeProblem(const Tensor& tensor) {
  if (SizeOf(tensor.shape()) > kMaxRank) {
    return "has " + std::to_string(SizeOf(tensor.shape())) + " dimensions; at most " + std::to_string(kMaxRank) +
           " can be";
  }
  int64_t count = 1;
  for (int64_t i = 0; i < SizeOf(tensor.shape()); ++i) {
    const int64_t size = tensor.shape()->Get(i);
    if (size < 0) return "has the dimension " + std::to_string(size) + " in its shape";
    if (size == 0) return "";
    if (size > kMaxElements / count) {
      return "has more than " + std::to_string(kMaxElements) + " elements, which this runtime cannot hold";
    }
    count *= size;
  }
  return "";
}

// TensorFlow Lite refuses constants that are too short; its kernels copy all bytes of those that are too long.
std::string ContentProblem(const Model& model, const Tensor& tensor) {
  const int64_t found = SizeOf(model.buffers()->Get(tensor.buffer())->data());
  if (found == 0 || tensor.sparsity() != nullptr || ElementBits(tensor.type()) == 0) return "";
  const int64_t needed = (ElementCount(tensor) * ElementBits(tensor.type()) + 7) / 8;
  if (found <= needed) return "";
  return "needs " + std::to_string(needed) + " bytes and has " + std::to_string(found);
}

std::string ScalesProblem(const Tensor* tensor, int index) {
  const QuantizationParameters* parameters = tensor ? tensor->quantization() : nullptr;
  for (int64_t i = 0; parameters != nullptr && i < SizeOf(parameters->scale()); ++i) {
    const float scale = parameters->scale()->Get(i);
    if (std::isfinite(scale)) continue;
    return "cannot compute: tensor " + std::to_string(index) + " has the quantization scale " + std::to_string(scale);
  }
  return "";
}

// Kernels that divide by scales abort on infinite quotients: all but those that copy integers are taken for such. A
// bias is in its convolution's scale whatever the file says.
std::string ScalesProblem(const NodeFacts& node) {
  int bias_of_op = -1;
  switch (node.op()) {
#define COPIES(name)           \
  case BuiltinOperator_##name: \
    return "";
#define WEIGHTS(name, weights, bias) \
  case BuiltinOperator_##name:       \
    bias_of_op = bias;               \
    break;
#include "tflite_kernels/op_table.def"
    default:
      break;
  }
  std::string problem;
  for (int i = 0; problem.empty() && i < node.input_count(); ++i) {
    if (i == bias_of_op) continue;
    problem = ScalesProblem(node.input(i), node.node().inputs()->Get(i));
  }
  for (int i = 0; problem.empty() && i < node.output_count(); ++i) {
    problem = ScalesProblem(node.output(i), node.node().outputs()->Get(i));
  }
  return problem;
}

// Kernels and XNNPACK's delegate read the scales of blocks, in another tensor, unchecked. These other
// tensors must be checked before.
std::string BlocksProblem(const Model& model, const SubGraph& subgraph, const Tensor& tensor) {
  const QuantizationParameters* parameters = tensor.quantization();
  if (parameters == nullptr || parameters->details_type() != QuantizationDetails_BlockwiseQuantization) return "";
  const BlockwiseQuantization* blocks = parameters->details_as_BlockwiseQuantization();
  if (blocks == nullptr) return "is quantized in blocks without saying how";
  const int64_t tensor_count = SizeOf(subgraph.tensors());
  if (blocks->scales() < 0 || blocks->scales() >= tensor_count || blocks->zero_points() >= tensor_count) {
    return "names scales or zero points of its blocks that do not exist";
  }
  const Tensor& scales = *subgraph.tensors()->Get(blocks->scales());
  const Buffer& stored = *model.buffers()->Get(scales.buffer());
  const bool is_constant = (SizeOf(stored.data()) > 0 || stored.offset() > 1) && scales.sparsity() == nullptr;
  if (scales.type() != TensorType_FLOAT16 || !is_constant) return "has scales of blocks that are no float16 constant";
  const int64_t block_count = ElementCount(scales), size = blocks->block_size();
  const int64_t row_size = SizeOf(tensor.shape()) == 0 ? 0 : tensor.shape()->Get(SizeOf(tensor.shape()) - 1);
  if (size > 0 && row_size % size == 0 && block_count == ElementCount(tensor) / size) return "";
  return "has " + std::to_string(block_count) + " scales, which do not fit its blocks of " + std::to_string(size);
}

// TFLite's builder rejects these, too, in a text for its developers.
std::string AxisProblem(const Tensor& tensor) {
  const QuantizationParameters* parameters = tensor.quantization();
  const int64_t count = parameters == nullptr ? 0 : SizeOf(parameters->scale());
  const int64_t rank = SizeOf(tensor.shape());
  if (count == 0 || SizeOf(parameters->zero_point()) == 0 || (rank == 0 && count == 1)) return "";
  if (parameters->details_type() == QuantizationDetails_BlockwiseQuantization) return "";
  const std::string hint = "; convert the model again with another quantized_dimension";
  const int axis = parameters->quantized_dimension();
  if (axis < 0 || axis >= rank)
    return "has scales along axis " + std::to_string(axis) + ", which it does not have" + hint;
  const int size = tensor.shape()->Get(axis);
  if (count == 1 || count == size) return "";
  return "has " + std::to_string(count) + " scales for the " + std::to_string(size) + " elements of axis " +
         std::to_string(axis) + hint;
}

std::string TensorProblem(const Model& model, const Tensor& tensor) {
  if (tensor.buffer() >= SizeOf(model.buffers())) return "names a buffer that does not exist";
  std::string problem = ShapeProblem(tensor);
  if (problem.empty()) problem = AxisProblem(tensor);
  return problem.empty() ? ContentProblem(model, tensor) : problem;
}

std::string TensorsProblem(const Model& model, const SubGraph& subgraph) {
  for (int64_t i = 0; i < SizeOf(subgraph.tensors()); ++i) {
    const std::string problem = TensorProblem(model, *subgraph.tensors()->Get(i));
    if (!problem.empty()) return "tensor " + std::to_string(i) + " " + problem;
  }
  for (int64_t i = 0; i < SizeOf(subgraph.tensors()); ++i) {
    const std::string problem = BlocksProblem(model, subgraph, *subgraph.tensors()->Get(i));
    if (!problem.empty()) return "tensor " + std::to_string(i) + " " + problem;
  }
  return "";
}

// Kernels check a constant once, before the first run; a caller would change it afterwards.
std::string WrittenConstantProblem(const Model& model, const SubGraph& subgraph) {
  const auto is_constant = [&](int32_t index) {
    const Buffer& stored = *model.buffers()->Get(subgraph.tensors()->Get(index)->buffer());
    return SizeOf(stored.data()) > 0 || stored.offset() > 1;
  };
  for (int64_t i = 0; i < SizeOf(subgraph.inputs()); ++i) {
    if (is_constant(subgraph.inputs()->Get(i))) return "input " + std::to_string(i) + " is a constant";
  }
  return "";
}

// Nodes run in the order of the file, so an earlier node must write what a node reads.
std::string OrderProblem(const SubGraph& subgraph) {
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
        return "node " + std::to_string(i) + " reads tensor " + std::to_string(tensor) + ", which node " +
               std::to_string(maker[tensor]) + " writes only later";
      }
    }
  }
  return "";
}

std::string CountText(const TensorCount& count) {
  if (count.min == count.max) return std::to_string(count.min);
  if (count.max == kAny) return "at least " + std::to_string(count.min);
  return std::to_string(count.min) + " to " + std::to_string(count.max);
}

std::string SignatureProblem(const NodeFacts& node) {
  const OpInfo* info = FindOpInfo(node.op(), node.op_name());
  if (info == nullptr) return "";
  const auto& [inputs, outputs, optional_inputs] = info->signature;
  if (!inputs.Allows(node.input_count())) {
    return "has " + std::to_string(node.input_count()) + " inputs; the op takes " + CountText(inputs);
  }
  if (!outputs.Allows(node.output_count())) {
    return "has " + std::to_string(node.output_count()) + " outputs; the op has " + CountText(outputs);
  }
  for (int i = 0; i < node.input_count(); ++i) {
    if (node.input(i) == nullptr && !info->signature.IsOptional(i)) {
      return "leaves out input " + std::to_string(i) + ", which is not optional";
    }
  }
  return "";
}

// Checked first: the other checks use the indices.
std::string IndexProblem(const Model& model, const SubGraph& subgraph) {
  const int64_t tensor_count = SizeOf(subgraph.tensors());
  if (!IndicesInRange(subgraph.inputs(), tensor_count, false)) return "an input names a tensor that does not exist";
  if (!IndicesInRange(subgraph.outputs(), tensor_count, false)) return "an output names a tensor that does not exist";
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& op = *subgraph.operators()->Get(i);
    if (op.opcode_index() >= SizeOf(model.operator_codes()) || !IndicesInRange(op.inputs(), tensor_count, true) ||
        !IndicesInRange(op.outputs(), tensor_count, false) ||
        !IndicesInRange(op.intermediates(), tensor_count, false)) {
      return "node " + std::to_string(i) + " names an op or a tensor that does not exist";
    }
  }
  return "";
}

}  // namespace

std::string GraphProblem(const Model& model, const SubGraph& subgraph) {
  std::string problem = IndexProblem(model, subgraph);
  if (!problem.empty()) return problem;
  problem = TensorsProblem(model, subgraph);
  if (!problem.empty()) return problem;
  problem = WrittenConstantProblem(model, subgraph);
  if (!problem.empty()) return problem;
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const NodeFacts node(model, subgraph, *subgraph.operators()->Get(i));
    problem = SignatureProblem(node);
    if (problem.empty()) problem = ScalesProblem(node);
    if (problem.empty()) problem = NodeProblem(node);
    if (!problem.empty()) return "node " + std::to_string(i) + " (" + node.op_name() + ") " + problem;
  }
  return OrderProblem(subgraph);
}

}  // namespace tflite::webnn
