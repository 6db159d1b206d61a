#include <gtest/gtest.h>

#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"
#include "tests/unit/kernel_bits.h"

namespace tflite::webnn {
namespace {

TEST(IntegerMeanTest, BitsOfTfliteOverAnyAxis) {
  for (const std::vector<int>& axes : {std::vector<int>{2}, {1, 2}, {0}, {1}, {0, 2}}) {
    TestModel file;
    TestSubgraph& main = file.main();
    const int x = main.Quantized(TensorType_INT16, {2, 3, 11}, 0.5f, 0);
    const int y = main.Quantized(TensorType_INT16, {1, 1, 1}, 0.3f, 0);
    ReducerOptionsT options;
    options.keep_dims = true;
    main.Op(BuiltinOperator_MEAN, {x, main.Ints({static_cast<int>(axes.size())}, axes)}, {y}, std::move(options));
    main.SetInputs({x});
    main.SetOutputs({y});
    LoadedModel model(file);
    ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
    Fill<int16_t>(model, x, {1, -20000, 300, 7, 15000, -4, 32767});
    ExpectBitsOfTflite(model, *ops::builtin::Register_MEAN());
  }
}

}  // namespace
}  // namespace tflite::webnn
