// STABLEHLO's arithmetic, compared with TFLite's kernels: all bits, of overflows and NaN, too.
#include <gtest/gtest.h>

#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"
#include "tests/unit/kernel_bits.h"

namespace tflite::webnn {
namespace {

template <typename T>
void ExpectBits(BuiltinOperator op, TensorType type, const TfLiteRegistration& tflite) {
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
  std::vector<T> repeated;
  for (const T value : edges) repeated.insert(repeated.end(), size, value);
  Fill(model, x, repeated);
  Fill(model, y, edges);
  ExpectBitsOfTflite(model, tflite);
}

template <typename T>
void ExpectArithmeticOfTflite(TensorType type) {
  using namespace ops::builtin;
  ExpectBits<T>(BuiltinOperator_STABLEHLO_ADD, type, *Register_STABLEHLO_ADD());
  ExpectBits<T>(BuiltinOperator_STABLEHLO_MULTIPLY, type, *Register_STABLEHLO_MULTIPLY());
  ExpectBits<T>(BuiltinOperator_STABLEHLO_MAXIMUM, type, *Register_STABLEHLO_MAXIMUM());
  ExpectBits<T>(BuiltinOperator_STABLEHLO_MINIMUM, type, *Register_STABLEHLO_MINIMUM());
  if constexpr (!std::numeric_limits<T>::has_infinity) {
    ExpectBits<T>(BuiltinOperator_STABLEHLO_AND, type, *Register_STABLEHLO_AND());
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
