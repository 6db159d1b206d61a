#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// A variable that is an input and an output of the graph (runtime/rewrite/variables.cc): the node hands a tensor on.
Operand LowerVariable(const OpView& op, GraphBuilder& builder) {
  if (op.input(0).type() == kTfLiteResource || op.output_count() != 1)
    return builder.Reject("the variable stays with TFLite: WebNN graphs have no handles");
  return builder.Tensor(op.input(0));
}

constexpr char kVariableLimits[] = "variables that several subgraphs use, or whose type or shape may change";

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinReadVariable, LowerVariable, kCopied, "an input of the graph", kVariableLimits},
    {kTfLiteBuiltinAssignVariable, LowerVariable, kCopied, "an output of the graph", kVariableLimits},
};

}  // namespace

constinit const OpEntries kVariableOps = kEntries;

}  // namespace tflite::webnn
