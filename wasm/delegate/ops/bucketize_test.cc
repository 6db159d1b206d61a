#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(BucketizeLoweringTest, Edges) {
  ExpectLowerings({
      {"a scalar",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BUCKETIZE, {g.Float({})}, {g.Tensor(TensorType_INT32, {})},
              OPTIONS(BucketizeOptionsT, o.boundaries = {0, 1}));
       },
       "reshape lesser cast reduceSum sub reshape -> int32[]"},
      {"no elements",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BUCKETIZE, {g.Float({0})}, {g.Tensor(TensorType_INT32, {0})},
              OPTIONS(BucketizeOptionsT, o.boundaries = {0}));
       },
       "tensor 0 't0' has shape [0]; WebNN needs every dimension known and above 0"},
      {"rank 6",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_BUCKETIZE, {g.Float({1, 1, 1, 1, 1, 2})},
              {g.Tensor(TensorType_INT32, {1, 1, 1, 1, 1, 2})}, OPTIONS(BucketizeOptionsT, o.boundaries = {0}));
       },
       "WebNN reshape: 'input' would have rank 6, this context accepts 0 to 5"},
  });
}

}  // namespace
}  // namespace tflite::webnn
