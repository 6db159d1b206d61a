#include <gtest/gtest.h>

#include <numeric>

#include "runtime/rewrite/rewrites.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

// BATCH_MATMUL(rows [6,1,2], cache [2,1,2,2] that BROADCAST_TO and RESHAPE repeat to [6,2,2]).
class RepeatedOperandsTest : public testing::Test {
 protected:
  RepeatedOperandsTest() {
    TestSubgraph& main = file_.main();
    rows_ = main.Float({6, 1, 2});
    cache_ = main.Float({2, 1, 2, 2});
    product_ = AddProduct(rows_);
    main.SetInputs({rows_, cache_});
    main.SetOutputs({product_});
  }

  int AddProduct(int rows) {
    TestSubgraph& main = file_.main();
    repeated_ = main.Float({2, 3, 2, 2});
    flat_ = main.Float({6, 2, 2});
    const int product = main.Float({6, 1, 2});
    main.Op(BuiltinOperator_BROADCAST_TO, {cache_, main.Ints({4}, {2, 3, 2, 2})}, {repeated_});
    ReshapeOptionsT shape;
    shape.new_shape = {6, 2, 2};
    main.Op(BuiltinOperator_RESHAPE, {repeated_, main.Ints({3}, {6, 2, 2})}, {flat_}, std::move(shape));
    main.Op(BuiltinOperator_BATCH_MATMUL, {rows, flat_}, {product}, BatchMatMulOptionsT());
    return product;
  }

  std::vector<float> Product(LoadedModel& model) {
    std::vector<float> rows(12), cache(8);
    std::iota(rows.begin(), rows.end(), 1.0f);
    std::iota(cache.begin(), cache.end(), -3.0f);
    return RunModel(model, {rows, cache});
  }

  TestModel file_;
  int rows_, cache_, repeated_, flat_, product_;
};

TEST_F(RepeatedOperandsTest, ProductHasTheRowsOfAllRepetitions) {
  LoadedModel expected(file_), model(file_);
  const KnownShapes known = RemoveRepetitions(model.interpreter());
  EXPECT_EQ(model.Plan(), "RESHAPE RESHAPE BATCH_MATMUL RESHAPE");
  EXPECT_FALSE(known.empty());
  EXPECT_EQ(Product(model), Product(expected));
}

TEST_F(RepeatedOperandsTest, EachOfTwoProductsHasItsOwnReshapes) {
  file_.main().SetOutputs({AddProduct(product_)});
  LoadedModel expected(file_), model(file_);
  RemoveRepetitions(model.interpreter());
  EXPECT_EQ(model.Plan(), "RESHAPE RESHAPE BATCH_MATMUL RESHAPE RESHAPE RESHAPE BATCH_MATMUL RESHAPE");
  EXPECT_EQ(Product(model), Product(expected));
}

TEST_F(RepeatedOperandsTest, ReturnedRepetitionIsKept) {
  file_.main().SetOutputs({product_, repeated_});
  LoadedModel model(file_);
  EXPECT_TRUE(RemoveRepetitions(model.interpreter()).empty());
  EXPECT_EQ(model.Plan(), "BROADCAST_TO RESHAPE BATCH_MATMUL");
}

TEST_F(RepeatedOperandsTest, RepetitionWithAnotherReaderIsKept) {
  const int other = file_.main().Float({2, 3, 2, 2});
  file_.main().Op(BuiltinOperator_NEG, {repeated_}, {other});
  LoadedModel model(file_);
  RemoveRepetitions(model.interpreter());
  EXPECT_EQ(model.Plan(), "BROADCAST_TO RESHAPE BATCH_MATMUL NEG");
}

TEST_F(RepeatedOperandsTest, RepeatedLeftOperandIsKept) {
  file_.main().node(2).inputs = {flat_, rows_};
  file_.main().tensor(rows_).shape = {6, 2, 2};
  file_.main().tensor(product_).shape = {6, 2, 2};
  LoadedModel model(file_);
  RemoveRepetitions(model.interpreter());
  EXPECT_EQ(model.Plan(), "BROADCAST_TO RESHAPE BATCH_MATMUL");
}

}  // namespace
}  // namespace tflite::webnn
