#include "runtime/xnnpack/threads.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

constexpr int kAvailable = 3;

// A fully connected layer of as many inputs as outputs.
void AddLayer(TestSubgraph& graph, int rows, int units) {
  const int input = graph.Float({rows, units});
  const int weights = graph.Floats({units, units}, std::vector<float>(units * units));
  const int output = graph.Float({rows, units});
  graph.Op(BuiltinOperator_FULLY_CONNECTED, {input, weights, -1}, {output}, FullyConnectedOptionsT());
  graph.SetInputs({input});
  graph.SetOutputs({output});
}

TEST(ThreadsTest, AShortRunHasOneThread) {
  TestModel file;
  AddLayer(file.main(), 1, 16);
  LoadedModel model(file);
  EXPECT_EQ(ThreadsThatPay(model.interpreter(), kAvailable), 1);
}

TEST(ThreadsTest, ALongRunHasAllThreads) {
  TestModel file;
  AddLayer(file.main(), 256, 512);
  LoadedModel model(file);
  EXPECT_EQ(ThreadsThatPay(model.interpreter(), kAvailable), kAvailable);
}

TEST(ThreadsTest, ManyShortOperatorsHaveOneThread) {
  constexpr int kElements = 10'000;
  for (const auto& [count, elements, threads] : {std::tuple{200, kElements, 1}, {1, 200 * kElements, kAvailable}}) {
    TestModel file;
    TestSubgraph& graph = file.main();
    const int input = graph.Float({elements});
    int last = input;
    for (int i = 0; i < count; ++i) {
      const int next = graph.Float({elements});
      graph.Op(BuiltinOperator_NEG, {last}, {next});
      last = next;
    }
    graph.SetInputs({input});
    graph.SetOutputs({last});
    LoadedModel model(file);
    EXPECT_EQ(ThreadsThatPay(model.interpreter(), kAvailable), threads) << count;
  }
}

TEST(ThreadsTest, SubgraphsOfSignaturesCount) {
  TestModel file;
  AddLayer(file.main(), 1, 16);
  AddLayer(file.subgraph(file.AddSubgraph()), 256, 512);
  LoadedModel model(file);
  EXPECT_EQ(ThreadsThatPay(model.interpreter(), kAvailable), kAvailable);
}

TEST(ThreadsTest, ShapesOfAResizedInputCount) {
  TestModel file;
  AddLayer(file.main(), 1, 128);
  LoadedModel model(file);
  ASSERT_EQ(ThreadsThatPay(model.interpreter(), kAvailable), 1);
  ASSERT_EQ(model.graph().ResizeInputTensor(model.graph().inputs()[0], {4096, 128}), kTfLiteOk);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(ThreadsThatPay(model.interpreter(), kAvailable), kAvailable);
}

TEST(ThreadsTest, NodesThatNoKernelHasCheckedCountNothing) {
  TestModel file;
  TestSubgraph& graph = file.main();
  const int input = graph.Float({4});
  const int scalar = graph.Floats({}, {1});
  const int output = graph.Float({4});
  for (const BuiltinOperator op :
       {BuiltinOperator_CONV_2D, BuiltinOperator_DEPTHWISE_CONV_2D, BuiltinOperator_TRANSPOSE_CONV,
        BuiltinOperator_FULLY_CONNECTED, BuiltinOperator_BATCH_MATMUL}) {
    graph.Op(op, {input, scalar}, {output});
  }
  graph.SetInputs({input});
  graph.SetOutputs({output});
  LoadedModel model(file);
  EXPECT_EQ(ThreadsThatPay(model.interpreter(), kAvailable), 1);
}

}  // namespace
}  // namespace tflite::webnn
