#include <gtest/gtest.h>

#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"
#include "tests/unit/kernel_bits.h"

namespace tflite::webnn {
namespace {

template <typename T, typename Index>
void ExpectBits(TensorType type, TensorType index_type, int axis, int columns) {
  TestModel file;
  TestSubgraph& main = file.main();
  const int indices = main.Tensor(index_type, {3, columns}), y = main.Tensor(type, {1, 1, 1});
  const int depth = main.Ints({}, {4});
  const int on = main.Constant<T>(type, {}, {T(7)}), off = main.Constant<T>(type, {}, {T(2)});
  OneHotOptionsT options;
  options.axis = axis;
  main.Op(BuiltinOperator_ONE_HOT, {indices, depth, on, off}, {y}, std::move(options));
  main.SetInputs({indices});
  main.SetOutputs({y});
  LoadedModel model(file);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  // The kernel reads the lower bits of the last one.
  Fill<Index>(model, indices, {0, 3, -1, 4, 1, 2, std::numeric_limits<Index>::max() / 2 + 3});
  ExpectBitsOfTflite(model, *ops::builtin::Register_ONE_HOT());
}

TEST(OneHotTest, BitsOfTflite) {
  for (const int axis : {-1, 0, 1, 2}) {
    for (const int columns : {5, 19}) {
      ExpectBits<float, int32_t>(TensorType_FLOAT32, TensorType_INT32, axis, columns);
      ExpectBits<int32_t, int64_t>(TensorType_INT32, TensorType_INT64, axis, columns);
      ExpectBits<int8_t, int32_t>(TensorType_INT8, TensorType_INT32, axis, columns);
      ExpectBits<int64_t, int32_t>(TensorType_INT64, TensorType_INT32, axis, columns);
    }
  }
}

}  // namespace
}  // namespace tflite::webnn
