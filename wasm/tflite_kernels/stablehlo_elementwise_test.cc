// STABLEHLO's arithmetic, compared with TFLite's own kernels: all bits, of overflows and NaN, too.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "runtime/rewrite/mutable_node.h"
#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {
namespace {

template <typename T>
std::vector<T> EdgesOf() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0), T(1), T(3), Limits::lowest(), Limits::max()};
  if constexpr (Limits::has_infinity) {
    values.insert(values.end(), {-0.0f, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()});
  }
  return values;
}

template <typename T>
void ExpectBitsOfTflite(BuiltinOperator op, TensorType type, TfLiteRegistration& tflite) {
  const std::vector<T> edges = EdgesOf<T>();
  const int size = static_cast<int>(edges.size());
  TestModel file;
  TestSubgraph& main = file.main();
  const int x = main.Tensor(type, {size, size}), y = main.Tensor(type, {size, size});
  const int z = main.Tensor(type, {size, size});
  main.Op(op, {x, y}, {z});
  main.SetInputs({x, y});
  main.SetOutputs({z});
  LoadedModel model(file);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  for (int i = 0; i < size * size; ++i) {
    reinterpret_cast<T*>(model.graph().tensor(x)->data.raw)[i] = edges[i / size];
    reinterpret_cast<T*>(model.graph().tensor(y)->data.raw)[i] = edges[i % size];
  }
  auto& [node, registration] = MutableNode(model.graph(), 0);
  EXPECT_NE(registration.invoke, tflite.invoke) << "the table has this project's kernel";
  ASSERT_EQ(model.graph().Invoke(), kTfLiteOk);
  const TfLiteTensor& output = *model.graph().tensor(z);
  const std::string found(output.data.raw, output.bytes);
  std::memset(output.data.raw, 0x55, output.bytes);
  ASSERT_EQ(tflite.invoke(model.graph().context(), &node), kTfLiteOk);
  EXPECT_EQ(found, std::string(output.data.raw, output.bytes))
      << EnumNameBuiltinOperator(op) << " of " << EnumNameTensorType(type);
}

template <typename T>
void ExpectArithmeticOfTflite(TensorType type) {
  using namespace ops::builtin;
  ExpectBitsOfTflite<T>(BuiltinOperator_STABLEHLO_ADD, type, *Register_STABLEHLO_ADD());
  ExpectBitsOfTflite<T>(BuiltinOperator_STABLEHLO_MULTIPLY, type, *Register_STABLEHLO_MULTIPLY());
  ExpectBitsOfTflite<T>(BuiltinOperator_STABLEHLO_MAXIMUM, type, *Register_STABLEHLO_MAXIMUM());
  ExpectBitsOfTflite<T>(BuiltinOperator_STABLEHLO_MINIMUM, type, *Register_STABLEHLO_MINIMUM());
  if constexpr (!std::numeric_limits<T>::has_infinity) {
    ExpectBitsOfTflite<T>(BuiltinOperator_STABLEHLO_AND, type, *Register_STABLEHLO_AND());
  }
}

TEST(StablehloElementwiseTest, BitsOfTflite) {
  ExpectArithmeticOfTflite<float>(TensorType_FLOAT32);
  ExpectArithmeticOfTflite<int8_t>(TensorType_INT8);
  ExpectArithmeticOfTflite<uint8_t>(TensorType_UINT8);
  ExpectArithmeticOfTflite<int16_t>(TensorType_INT16);
  ExpectArithmeticOfTflite<int32_t>(TensorType_INT32);
  ExpectArithmeticOfTflite<uint32_t>(TensorType_UINT32);
  ExpectArithmeticOfTflite<int64_t>(TensorType_INT64);
}

}  // namespace
}  // namespace tflite::webnn
