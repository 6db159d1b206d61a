#include "runtime/execute/load_constraints.h"

#include <gtest/gtest.h>

namespace tflite::webnn {
namespace {

TEST(LoadConstraintsTest, ReasonIsNewOnce) {
  LoadConstraints constraints;
  EXPECT_TRUE(constraints.Add(retry::DynamicTensors{}));
  EXPECT_FALSE(constraints.Add(retry::DynamicTensors{}));
  EXPECT_TRUE(constraints.has_dynamic_tensors);
  EXPECT_TRUE(constraints.Add(retry::ReorderedIsRead{}));
  EXPECT_FALSE(constraints.Add(retry::ReorderedIsRead{}));
  EXPECT_TRUE(constraints.reordered_is_read);
}

TEST(LoadConstraintsTest, WebnnThatWasNotAppliedHasItsError) {
  LoadConstraints constraints;
  EXPECT_TRUE(constraints.Add(retry::WebnnNotApplied{"too slow", true}));
  EXPECT_EQ(constraints.webnn_error, "too slow");
  EXPECT_TRUE(constraints.is_faster_on_cpu);
  EXPECT_FALSE(constraints.Add(retry::WebnnNotApplied{"again", false}));
}

TEST(LoadConstraintsTest, EachNodeThatXnnpackRejectedIsNew) {
  LoadConstraints constraints;
  EXPECT_TRUE(constraints.Add(retry::XnnpackFailed{0, {3}, "first"}));
  EXPECT_TRUE(constraints.Add(retry::XnnpackFailed{1, {3}, "another subgraph"}));
  EXPECT_TRUE(constraints.Add(retry::XnnpackFailed{0, {3, 4}, "another node"}));
  const auto& nodes = constraints.xnnpack_exclusions.nodes();
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].reason, "first");
  EXPECT_EQ(nodes[2].node, 4);
}

TEST(LoadConstraintsTest, NodeThatFailsAgainExcludesItsSubgraph) {
  LoadConstraints constraints;
  EXPECT_TRUE(constraints.Add(retry::XnnpackFailed{0, {3}, "first"}));
  EXPECT_TRUE(constraints.Add(retry::XnnpackFailed{0, {3}, "again"}));
  EXPECT_EQ(constraints.xnnpack_exclusions.nodes()[1].node, XnnpackExclusions::kAll);
  EXPECT_FALSE(constraints.Add(retry::XnnpackFailed{0, {4}, "no cause any more"}));
  EXPECT_TRUE(constraints.Add(retry::XnnpackFailed{1, {4}, "another subgraph"}));
}

TEST(LoadConstraintsTest, AllSubgraphsIncludeEachNode) {
  LoadConstraints constraints;
  EXPECT_TRUE(constraints.Add(retry::XnnpackFailed{XnnpackExclusions::kAll, {}, "all"}));
  EXPECT_FALSE(constraints.Add(retry::XnnpackFailed{0, {3}, "one"}));
  EXPECT_FALSE(constraints.Add(retry::XnnpackFailed{XnnpackExclusions::kAll, {}, "all"}));
}

TEST(LoadConstraintsTest, ReasonsAreSeparate) {
  LoadConstraints constraints;
  constraints.Add(retry::DynamicTensors{});
  EXPECT_FALSE(constraints.reordered_is_read);
  EXPECT_EQ(constraints.webnn_error, "");
  EXPECT_TRUE(constraints.xnnpack_exclusions.nodes().empty());
}

}  // namespace
}  // namespace tflite::webnn
