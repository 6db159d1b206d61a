#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

Operand EmitSelect(const OpView& op, bool chooses_rows, GraphBuilder& builder) {
  Operand condition = builder.Tensor(op.input(0));
  const Operand if_true = builder.Tensor(op.input(1));
  const Operand if_false = builder.Tensor(op.input(2));
  const int rank = builder.descriptor(if_true).rank();
  if (chooses_rows && builder.descriptor(condition).rank() == 1 && rank > 1) {
    std::vector<int> rows(rank, 1);
    rows[0] = builder.shape(condition)[0];
    condition = builder.Reshape(condition, rows);
  }
  return builder.Where(condition, if_true, if_false);
}

// Accepts equal shapes, or a condition of rank 1 that chooses entire rows.
Operand LowerSelect(const OpView& op, GraphBuilder& builder) { return EmitSelect(op, /*chooses_rows=*/true, builder); }

// Broadcasts.
Operand LowerSelectV2(const OpView& op, GraphBuilder& builder) {
  return EmitSelect(op, /*chooses_rows=*/false, builder);
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinSelect, LowerSelect, kCopied, "where", ""},
    {kTfLiteBuiltinSelectV2, LowerSelectV2, kCopied, "where", ""},
};

}  // namespace

constinit const OpEntries kSelectOps = kEntries;

}  // namespace tflite::webnn
