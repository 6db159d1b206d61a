#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runner/node_check.h"
#include "runner/quantization_facts.h"

namespace tflite::webnn {
namespace {

// XNNPACK's delegate takes the tensors that pass CheckTensorFloatOrQUInt8Type() in xnnpack_delegate.cc.
bool IsTaken(const Tensor* tensor) {
  if (!IsQuantized8(tensor)) return tensor->type() == TensorType_FLOAT32 || tensor->type() == TensorType_FLOAT16;
  return ScaleCount(tensor) == 1 && tensor->quantization()->quantized_dimension() == 0;
}

// The problem that GetXNNPackDatatype() finds in a tensor that the delegate takes. It logs through a pointer that is
// null while the delegate looks for nodes.
std::string TakenTensorProblem(const Tensor* tensor, const char* name) {
  if (!IsQuantized8(tensor)) return "";
  const float scale = ScaleOf(tensor);
  if (!std::isnormal(scale) || scale < 0) return "has an " + std::string(name) + " whose scale is " + ScaleText(scale);
  const auto* zero_points = tensor->quantization()->zero_point();
  if (SizeOf(zero_points) == 0) return "";
  const int lowest = tensor->type() == TensorType_UINT8 ? 0 : -128;
  const int32_t zero_point = static_cast<int32_t>(zero_points->Get(0));
  if (zero_point >= lowest && zero_point <= lowest + 255) return "";
  return "has an " + std::string(name) + " with the zero point " + std::to_string(zero_point);
}

// The delegate accepts per-channel scales by the first zero point only; the others must be 0 as well.
std::string ChannelsProblem(const Tensor* tensor, int64_t dimension) {
  if (tensor->type() != TensorType_INT8 || ScaleCount(tensor) <= 1) return "";
  const QuantizationParameters& parameters = *tensor->quantization();
  const auto* points = parameters.zero_point();
  if (parameters.quantized_dimension() != dimension || SizeOf(points) == 0 || points->Get(0) != 0) return "";
  const bool are_zero = std::all_of(points->begin(), points->end(), [](int64_t point) { return point == 0; });
  return are_zero ? "" : "has an input 1 with zero points of channels, of which the first is 0";
}

}  // namespace

std::string ProductProblem(const NodeFacts& node) {
  const Tensor* left = node.input(0);
  const Tensor* right = node.input(1);
  if (!IsTaken(left)) return "";
  const std::string problem = TakenTensorProblem(left, "input 0");
  if (!problem.empty()) return problem;
  const BatchMatMulOptions* options = node.node().builtin_options_as_BatchMatMulOptions();
  const int from_end = options != nullptr && options->adj_y() ? 2 : 1;
  return ChannelsProblem(right, SizeOf(right->shape()) - from_end);
}

std::string QuantizeProblem(const NodeFacts& node) {
  if (!IsTaken(node.input(0)) || !IsTaken(node.output(0))) return "";
  const std::string problem = TakenTensorProblem(node.input(0), "input");
  return problem.empty() ? TakenTensorProblem(node.output(0), "output") : problem;
}

}  // namespace tflite::webnn
