#include "delegate/constants/constant_data.h"

#include <gtest/gtest.h>

#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

TEST(ConstantDataTest, LastByteOfAnOddNumberOfInt4IsNeeded) {
  TestModel file;
  TestSubgraph& main = file.main();
  const int narrow = main.Constant<uint8_t>(TensorType_INT4, {3}, {0x21, 0x03});
  const int x = main.Float({3}), y = main.Float({3});
  main.Op(BuiltinOperator_ADD, {x, narrow}, {y}, AddOptionsT());
  LoadedModel model(file);
  const GraphView view(model.DelegateContext());
  EXPECT_TRUE(ValidateConstant(view.tensor(narrow)).ok());
  model.graph().tensor(narrow)->bytes = 1;
  EXPECT_EQ(ValidateConstant(view.tensor(narrow)).message(), "has fewer bytes than its shape needs");
}

}  // namespace
}  // namespace tflite::webnn
