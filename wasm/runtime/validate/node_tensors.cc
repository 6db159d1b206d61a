#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/validate/node.h"
#include "runtime/validate/node_info.h"

namespace tflite::webnn {
namespace {

// A shape with a signature, or without dimensions, may be known only at run time.
bool HasKnownShape(const Tensor& tensor) { return SizeOf(tensor.shape()) > 0 && SizeOf(tensor.shape_signature()) == 0; }

// More than any image has channels.
constexpr int kLargestRadius = 1 << 16;

Status TypeError(const char* role, const Tensor& tensor, const char* reason = "") {
  return Malformed("has an ", role, " of type ", EnumNameTensorType(tensor.type()), reason);
}

}  // namespace

// TFLite's kernel rejects a fused activation, and XNNPACK's leaves it out. XNNPACK copies each input entirely.
Status ValidateConcatenation(const NodeInfo& node) {
  const ConcatenationOptions* options = node.node().builtin_options_as_ConcatenationOptions();
  if (options == nullptr) return {};
  if (options->fused_activation_function() != ActivationFunctionType_NONE) {
    return Malformed("has the fused activation ", EnumNameActivationFunctionType(options->fused_activation_function()),
                     ", which no kernel computes");
  }
  if (node.input_count() == 0 || !HasKnownShape(*node.input(0))) return {};
  const auto& first = *node.input(0)->shape();
  const int64_t rank = first.size();
  const int64_t axis = options->axis() < 0 ? options->axis() + rank : options->axis();
  for (int i = 1; i < node.input_count(); ++i) {
    if (!HasKnownShape(*node.input(i))) return {};
    const auto& shape = *node.input(i)->shape();
    bool fits = shape.size() == rank;
    for (int64_t j = 0; fits && j < rank; ++j) fits = j == axis || shape.Get(j) == first.Get(j);
    if (!fits) return Malformed("joins inputs 0 and ", i, ", whose shapes do not fit");
  }
  return {};
}

// The kernel pads each pixel's channels by this before and behind.
Status ValidateRadius(const NodeInfo& node) {
  const auto* options = node.node().builtin_options_as_LocalResponseNormalizationOptions();
  if (options == nullptr || (options->radius() >= 0 && options->radius() < kLargestRadius)) return {};
  return Malformed("has the radius ", options->radius());
}

// The kernel reads and writes float32, whatever the types are.
Status ValidateFakeQuant(const NodeInfo& node) {
  const Tensor& input = *node.input(0);
  return ElementBits(input.type()) < ElementBits(TensorType_FLOAT32) ? TypeError("input", input) : Status();
}

// The kernel has five integer types; it reads and writes all others as float32.
Status ValidateDiagonal(const NodeInfo& node) {
  const Tensor& input = *node.input(0);
  const bool is_narrow = ElementBits(input.type()) < ElementBits(TensorType_FLOAT32);
  const bool has_kernel =
      input.type() == TensorType_INT8 || input.type() == TensorType_UINT8 || input.type() == TensorType_INT16;
  return is_narrow && !has_kernel ? TypeError("input", input) : Status();
}

// The kernel copies the input's bytes; strings are allocated as they are copied.
Status ValidateReshapedType(const NodeInfo& node) {
  const Tensor& output = *node.output(0);
  if (output.type() == TensorType_STRING) return {};
  const bool fits = ElementBits(node.input(0)->type()) <= ElementBits(output.type());
  return fits ? Status() : TypeError("output", output, ", narrower than its input");
}

// Kernels copy from these positions unchecked.
Status ValidateSlice(const NodeInfo& node) {
  const Tensor& input = *node.input(0);
  const std::vector<int64_t> begin = node.ConstantIntegers(*node.input(1));
  const std::vector<int64_t> size = node.ConstantIntegers(*node.input(2));
  if (begin.empty() || begin.size() != size.size() || SizeOf(input.shape_signature()) > 0) return {};
  if (SizeOf(input.shape()) != static_cast<int64_t>(begin.size())) return {};
  int64_t count = 1;
  for (size_t i = 0; i < begin.size(); ++i) {
    const int64_t limit = input.shape()->Get(i);
    const bool inside = begin[i] >= 0 && begin[i] <= limit && size[i] >= -1 && size[i] <= limit - begin[i];
    if (!inside) return Malformed("takes a slice that is not within its input, along dimension ", i);
    count *= size[i] < 0 ? limit - begin[i] : size[i];
  }
  // XNNPACK computes the result's shape; the kernel, which alone accepts sizes of -1, believes the file's.
  const bool reaches_end = std::find(size.begin(), size.end(), -1) != size.end();
  if (!reaches_end || !HasKnownShape(*node.output(0)) || count <= ElementCount(*node.output(0))) return {};
  return Malformed("takes a slice of ", count, " elements; its output has ", ElementCount(*node.output(0)));
}

// LOG, RSQRT and SQRT read a table or scales, and look only whether int8 has them.
Status ValidateTable(const NodeInfo& node) {
  const Tensor& input = *node.input(0);
  const bool is_quantized = input.quantization() != nullptr && SizeOf(input.quantization()->scale()) > 0;
  return input.type() == TensorType_INT16 && !is_quantized ? TypeError("input", input, " without a scale") : Status();
}

// These kernels write the result as values of the inputs' type.
Status ValidateElementwiseType(const NodeInfo& node) {
  const Tensor& output = *node.output(0);
  const bool fits = ElementBits(node.input(0)->type()) <= ElementBits(output.type());
  return fits ? Status() : TypeError("output", output, ", narrower than its inputs");
}

// The kernel copies bytes.
Status ValidateCompressedType(const NodeInfo& node) {
  const Tensor& input = *node.input(0);
  return ElementBits(input.type()) < 8 ? TypeError("input", input) : ValidateElementwiseType(node);
}

// The kernel's function has no end for these types.
Status ValidateBitwiseType(const NodeInfo& node) {
  const Tensor& input = *node.input(0);
  const TensorType type = input.type();
  const bool is_float = type == TensorType_FLOAT16 || type == TensorType_FLOAT32 || type == TensorType_FLOAT64;
  return is_float ? TypeError("input", input) : ValidateElementwiseType(node);
}

}  // namespace tflite::webnn
