#include "runtime/execute/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "runtime/execute/loader.h"
#include "tests/unit/test_model.h"
#include "tflite_kernels/op_resolver.h"

namespace tflite::webnn {
namespace {

TEST(SessionTest, StepsOutsideOfThePlanAreRejected) {
  TestModel file;
  TestSubgraph& main = file.main();
  const int x = main.Float({2}), y = main.Float({2});
  main.Op(BuiltinOperator_NEG, {x}, {y});
  main.SetInputs({x});
  main.SetOutputs({y});
  const std::vector<uint8_t> bytes = file.Bytes();
  ModelBytes copy(static_cast<uint8_t*>(malloc(bytes.size())), free);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  MutableOpResolver resolver;
  AddOps(resolver);
  TFLiteWebModelRunnerOptions options;
  options.enable_xnnpack_delegate = false;
  Loader loader(options);
  ASSERT_TRUE(loader.Load(std::move(copy), bytes.size(), resolver).ok());
  EXPECT_TRUE(loader.session()->InvokeSteps(0, 1).ok());
  EXPECT_TRUE(loader.session()->InvokeSteps(1, 0).ok());
  for (const auto& [first, count] :
       {std::pair{-1, 1}, {0, -1}, {0, 2}, {1, 1}, {INT32_MAX, 1}, {1, INT32_MAX}, {INT32_MIN, INT32_MAX}}) {
    EXPECT_FALSE(loader.session()->InvokeSteps(first, count).ok()) << count << " from " << first;
  }
}

}  // namespace
}  // namespace tflite::webnn
