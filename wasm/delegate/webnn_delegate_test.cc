// Which nodes the delegate accepts, and the partitions that the cost rule leaves to the CPU.
#include "delegate/webnn_delegate.h"

#include <gtest/gtest.h>

#include "delegate/cost/partition_cost.h"
#include "tests/unit/delegate_fixture.h"

namespace tflite::webnn {
namespace {

using WebnnDelegateTest = DelegateTest;

TEST_F(WebnnDelegateTest, SmallPartitionsGoBackToTheCpu) {
  AddChain(2, 4);
  Apply();
  ASSERT_EQ(status_, kTfLiteOk);
  EXPECT_EQ(model_->Plan(), "ADD ADD SIN ADD ADD");
  ASSERT_EQ(delegate().rejections().size(), 5u);
  EXPECT_EQ(delegate().supported(), (std::set<int>{0, 1, 3, 4})) << "WebNN could run them";
  EXPECT_NE(delegate().rejections().at(0).find("dispatching its partition"), std::string::npos);
}

TEST_F(WebnnDelegateTest, LargePartitionsRunOnWebnn) {
  AddChain(30, 1 << 20);
  Apply();
  ASSERT_EQ(status_, kTfLiteOk);
  EXPECT_EQ(model_->Plan(), "TfLiteWebnnDelegate SIN TfLiteWebnnDelegate");
  EXPECT_EQ(delegate().rejections().size(), 1u);
  EXPECT_TRUE(delegate().supported().empty());
}

TEST_F(WebnnDelegateTest, CostIsIgnoredOnRequest) {
  AddChain(2, 4);
  Apply({{"ignore_partition_cost", "true"}});
  EXPECT_EQ(model_->Plan(), "TfLiteWebnnDelegate SIN TfLiteWebnnDelegate");
}

TEST_F(WebnnDelegateTest, RejectedNodesHaveTheReason) {
  AddChain(1, 4);
  Apply({{"ignore_partition_cost", "true"}, {"excluded_nodes", "0"}});
  EXPECT_EQ(delegate().rejections().at(0), "the node is in excludedNodes");
  EXPECT_EQ(delegate().rejections().at(1), "this context has no WebNN operator sin");
  EXPECT_EQ(model_->Plan(), "ADD SIN TfLiteWebnnDelegate");
}

TEST_F(WebnnDelegateTest, MalformedLimitsFail) {
  AddChain(1, 4);
  Apply({{"op_support_limits", "add.a float32"}});
  EXPECT_NE(status_, kTfLiteOk);
  EXPECT_EQ(delegate().status().message(), "opSupportLimits: cannot read the line 'add.a float32'");
}

TEST_F(WebnnDelegateTest, EntireModelGoesToTheCpuWhereThatIsFaster) {
  TestSubgraph& graph = file_.main();
  const int input = graph.Float({4}), output = graph.Float({4});
  graph.Op(BuiltinOperator_ADD, {input, input}, {output}, AddOptionsT());
  graph.SetInputs({input});
  graph.SetOutputs({output});
  Apply({{"estimate_model_cost", "true"}});
  EXPECT_TRUE(delegate().is_faster_on_cpu());
  EXPECT_EQ(delegate().status().message().find("a run would take about"), 0u);
  EXPECT_EQ(model_->Plan(), "ADD");
}

TEST(PartitionCostTest, CostIsWorthItUpToWhatItSaves) {
  EXPECT_TRUE((PartitionCost{1, 1}).IsWorthIt());
  EXPECT_FALSE((PartitionCost{1.01, 1}).IsWorthIt());
  EXPECT_EQ(CostText({0.271, 0.02}),
            "dispatching its partition and copying the tensors at its boundary takes about 0.27 ms, WebNN would save "
            "about 0.02 ms");
}

}  // namespace
}  // namespace tflite::webnn
