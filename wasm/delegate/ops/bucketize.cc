#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// Counts the boundaries that are not above the element; NaN is above all of them.
Operand LowerBucketize(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteBucketizeParams>();
  const Operand input = builder.Tensor(op.input(0));
  if (params.num_boundaries < 1) return builder.Reject("there are no boundaries");
  const int count = static_cast<int>(builder.descriptor(input).element_count());
  const Operand column = builder.Reshape(builder.Cast(input, DataType::kFloat32), {count, 1});
  const std::vector<float> boundaries(params.boundaries, params.boundaries + params.num_boundaries);
  const Operand is_below = builder.Compare("lesser", column, builder.Constant({params.num_boundaries}, boundaries));
  const Operand above = builder.Reduce("reduceSum", builder.Cast(is_below, DataType::kInt32), {1}, false);
  const Operand total = builder.Scalar(DataType::kInt32, params.num_boundaries);
  return builder.Reshape(builder.Binary("sub", total, above), op.output(0).shape());
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinBucketize, LowerBucketize, kUnknown, "cast, lesser, reduceSum, sub", ""},
};

}  // namespace

constinit const OpEntries kBucketizeOps = kEntries;

}  // namespace tflite::webnn
