#ifndef TFLITE_WEBNN_DELEGATE_OPS_OP_ENTRY_H_
#define TFLITE_WEBNN_DELEGATE_OPS_OP_ENTRY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "delegate/builder/graph_builder.h"
#include "delegate/model/graph_view.h"

namespace tflite::webnn {

// Lowers one node to WebNN and returns its output 0, or rejects with a reason. A lowering that sets the outputs itself
// returns an empty operand. A checking builder finds out whether the node is supported; an emitting builder writes the
// operators.
using LowerFunction = Operand (*)(const OpView& op, GraphBuilder& builder);

// How TFLite's kernels read the integers of a quantized tensor.
enum class QuantizedMeaning : uint8_t {
  kUnknown,  // the op has no quantized kernel
  kReal,     // as real numbers, with scale and zero point
  kCopied,   // not at all: it moves or compares them
  kInteger,  // as plain integers
};

// The lowering of an op of op_table.def. The rows are in ops/, each next to its function. QuantizedMeaning follows the
// Prepare and Eval functions of TFLite's kernels.
struct OpEntry {
  int builtin_code;  // kTfLiteBuiltin*
  LowerFunction lower;
  QuantizedMeaning quantized;
  const char* webnn_ops;  // the operators it becomes, for the docs
  const char* limits;     // what it rejects beyond the context's limits, for the docs
  // Multiplications per element of the output, for op_cost.h; null for ops without products.
  double (*products_per_element)(const OpView& op) = nullptr;
  const char* custom_name = nullptr;  // for kTfLiteBuiltinCustom
};

// The rows of one family.
using OpEntries = std::span<const OpEntry>;

// The name of a WebNN operator as a template argument: LowerUnary<"abs">.
template <size_t n>
struct OperatorName {
  consteval OperatorName(const char (&name)[n]) { std::copy_n(name, n, text); }
  char text[n];
};

// An op with a kernel that stays on the CPU, and the reason that users see.
struct RejectedOp {
  int builtin_code;
  const char* reason;
};

std::span<const RejectedOp> RejectedOps();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_OP_ENTRY_H_
