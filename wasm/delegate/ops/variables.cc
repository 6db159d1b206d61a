#include "delegate/ops/families.h"

// READ_VARIABLE and ASSIGN_VARIABLE of variables that are inputs and outputs of the graph: copies of one tensor.
namespace tflite::webnn {
namespace {

void LowerVariable(const OpView& op, GraphBuilder& builder) {
  if (op.input(0).type() == kTfLiteResource || op.output_count() != 1) {
    builder.Refuse("WebNN has no variables that outlive a run, and this one stays with TFLite");
    return;
  }
  builder.SetOutput(op, 0, builder.Tensor(op.input(0)));
}

using enum QuantizedMeaning;

constexpr OpRow kRows[] = {
    {kTfLiteBuiltinReadVariable, 1, 1, LowerVariable, kCopied, "an input of the graph",
     "variables that several subgraphs use, or whose shape may change"},
    {kTfLiteBuiltinAssignVariable, 1, 1, LowerVariable, kCopied, "an output of the graph",
     "variables that several subgraphs use, or whose shape may change"},
};

}  // namespace

constinit const OpRows kVariableOps = kRows;

}  // namespace tflite::webnn
