#ifndef TFLITE_WEBNN_DELEGATE_OP_ROW_H_
#define TFLITE_WEBNN_DELEGATE_OP_ROW_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "delegate/graph_builder.h"
#include "delegate/graph_view.h"

namespace tflite::webnn {

// Lowers one node to WebNN, or refuses with a reason. Run with a checking builder it answers whether
// the node is supported, run with an emitting builder it writes the operators: one function for both.
using LowerFunction = void (*)(const OpView& op, GraphBuilder& builder);

// What TFLite's kernels take the integers of a quantized tensor for.
enum class QuantizedMeaning : uint8_t {
  kUnknown,  // the op has no quantized kernel
  kReal,     // real numbers: computed with scale and zero point
  kCopied,   // nothing: they are moved or compared as they are
  kInteger,  // plain integers
};

// What the delegate knows of one TFLite op. The rows are in ops/, each beside its lowering.
//
// The highest version is TFLite's own (core/kernels/register.cc of the pinned commit): versions mostly add data types,
// which the tensors themselves show; what matters is that no later version is claimed. What a quantized tensor means
// is read from the Prepare and Eval functions of TFLite's kernels.
struct OpRow {
  int builtin_code;  // kTfLiteBuiltin*
  int max_version;   // highest version of the op that the lowering understands
  int min_inputs;
  LowerFunction lower;
  QuantizedMeaning quantized;
  const char* webnn_ops;  // the operators it becomes, for the docs
  const char* limits;     // what is refused beyond the context's own limits, for the docs
  // The products that are summed up for one element of the output, for partition_cost.h; null where there are none.
  double (*products_per_element)(const OpView& op) = nullptr;
  const char* custom_name = nullptr;  // for kTfLiteBuiltinCustom
};

// The rows of one family.
using OpRows = std::span<const OpRow>;

// A string as a template argument, the name of a WebNN operator: LowerUnary<"abs">.
template <size_t n>
struct OperatorName {
  consteval OperatorName(const char (&name)[n]) { std::copy_n(name, n, text); }
  char text[n];
};

// An op that is left to the CPU, and why: shown to the user of a model that has it.
struct RefusedOp {
  int builtin_code;
  const char* reason;
};

std::span<const RefusedOp> RefusedOps();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OP_ROW_H_
