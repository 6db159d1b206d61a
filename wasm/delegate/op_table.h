#ifndef TFLITE_WEBNN_DELEGATE_OP_TABLE_H_
#define TFLITE_WEBNN_DELEGATE_OP_TABLE_H_

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

// What the delegate knows of one TFLite op.
struct OpRow {
  int builtin_code;  // kTfLiteBuiltin*
  int max_version;   // highest version of the op that the lowering understands
  int min_inputs;
  LowerFunction lower;
  QuantizedMeaning quantized;
  const char* webnn_ops;              // the operators it becomes, for the docs
  const char* limits;                 // what is refused beyond the context's own limits, for the docs
  const char* custom_name = nullptr;  // for kTfLiteBuiltinCustom
};

// An op that is left to the CPU, and why: shown to the user of a model that has it.
struct RefusedOp {
  int builtin_code;
  const char* reason;
};

std::span<const OpRow> LoweredOps();
std::span<const RefusedOp> RefusedOps();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OP_TABLE_H_
