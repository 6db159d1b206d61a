// Comparisons, MAXIMUM, MINIMUM, MUL, DIV and PRELU, compared with TFLite's kernels: all bits, also of rows
// whose ends do not fill a vector.
#include <gtest/gtest.h>

#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"
#include "tests/unit/kernel_bits.h"

namespace tflite::webnn {
namespace {

using Shape = std::vector<int>;

struct Shapes {
  Shape a, b, output;
};

const std::vector<Shapes> kShapes = {
    {{}, {}, {}},
    {{1}, {1, 1}, {1, 1}},
    {{5, 37}, {5, 37}, {5, 37}},
    {{5, 37}, {37}, {5, 37}},
    {{1, 37}, {5, 1}, {5, 37}},
    {{}, {3, 35}, {3, 35}},
    {{3, 35}, {1}, {3, 35}},
    {{2, 3, 1, 5}, {1, 3, 4, 1}, {2, 3, 4, 5}},
    {{4, 1, 3, 16}, {4, 9, 3, 16}, {4, 9, 3, 16}},
    {{2, 1, 3, 1, 2, 1, 3}, {1, 2, 1, 2, 1, 17, 1}, {2, 2, 3, 2, 2, 17, 3}},
};

struct Scale {
  float scale = 0;
  int64_t zero_point = 0;
};

template <typename T>
void ExpectBits(BuiltinOperator op, TensorType type, TensorType result, const TfLiteRegistration& tflite,
                const Shapes& shapes, const Scale& a = {}, const Scale& b = {}) {
  TestModel file;
  TestSubgraph& main = file.main();
  const auto tensor = [&](const Shape& shape, const Scale& scale) {
    return scale.scale == 0 ? main.Tensor(type, shape) : main.Quantized(type, shape, scale.scale, scale.zero_point);
  };
  const int x = tensor(shapes.a, a), y = tensor(shapes.b, b), z = main.Tensor(result, shapes.output);
  main.Op(op, {x, y}, {z});
  main.SetInputs({x, y});
  main.SetOutputs({z});
  LoadedModel model(file);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  std::vector<T> values = EdgesOf<T>();
  Fill(model, x, values);
  for (int i = 2; i < 8; ++i) values.push_back(static_cast<T>(i));
  Fill(model, y, values);
  ExpectBitsOfTflite(model, tflite);
}

template <typename T>
void ExpectComparisons(TensorType type, bool has_order, const Shapes& shapes, const Scale& a = {},
                       const Scale& b = {}) {
  using namespace ops::builtin;
  const auto expect = [&](BuiltinOperator op, const TfLiteRegistration& tflite) {
    ExpectBits<T>(op, type, TensorType_BOOL, tflite, shapes, a, b);
  };
  expect(BuiltinOperator_EQUAL, *Register_EQUAL());
  if (type != TensorType_INT16) expect(BuiltinOperator_NOT_EQUAL, *Register_NOT_EQUAL());
  if (!has_order) return;
  expect(BuiltinOperator_LESS, *Register_LESS());
  expect(BuiltinOperator_LESS_EQUAL, *Register_LESS_EQUAL());
  expect(BuiltinOperator_GREATER, *Register_GREATER());
  expect(BuiltinOperator_GREATER_EQUAL, *Register_GREATER_EQUAL());
}

TEST(ComparisonsTest, BitsOfTflite) {
  for (const Shapes& shapes : kShapes) {
    ExpectComparisons<float>(TensorType_FLOAT32, true, shapes);
    ExpectComparisons<int16_t>(TensorType_INT16, true, shapes);
    ExpectComparisons<int32_t>(TensorType_INT32, true, shapes);
    ExpectComparisons<int64_t>(TensorType_INT64, true, shapes);
    ExpectComparisons<bool>(TensorType_BOOL, false, shapes);
  }
}

// As many elements as are compared by tables.
TEST(ComparisonsTest, ScaledBytesHaveTheBitsOfTflite) {
  for (const Shapes& shapes :
       std::vector<Shapes>{{{9, 201}, {9, 201}, {9, 201}}, {{7, 1, 5}, {7, 41, 1}, {7, 41, 5}}}) {
    for (const auto& [a, b] :
         std::vector<std::pair<Scale, Scale>>{{{0.25f, 3}, {0.5f, -7}}, {{1.5f, 0}, {0.001f, 1}}}) {
      ExpectComparisons<int8_t>(TensorType_INT8, true, shapes, a, b);
      ExpectComparisons<uint8_t>(TensorType_UINT8, true, shapes, {a.scale, 128}, {b.scale, 5});
    }
  }
}

template <typename T>
void ExpectChoices(TensorType type) {
  using namespace ops::builtin;
  for (const Shapes& shapes : kShapes) {
    ExpectBits<T>(BuiltinOperator_MAXIMUM, type, type, *Register_MAXIMUM(), shapes);
    ExpectBits<T>(BuiltinOperator_MINIMUM, type, type, *Register_MINIMUM(), shapes);
  }
}

TEST(MinimumMaximumTest, BitsOfTflite) {
  ExpectChoices<float>(TensorType_FLOAT32);
  ExpectChoices<int8_t>(TensorType_INT8);
  ExpectChoices<uint8_t>(TensorType_UINT8);
  ExpectChoices<int16_t>(TensorType_INT16);
  ExpectChoices<int32_t>(TensorType_INT32);
  ExpectChoices<int64_t>(TensorType_INT64);
}

TEST(BroadcastArithmeticTest, BitsOfTflite) {
  using namespace ops::builtin;
  for (const Shapes& shapes : kShapes) {
    if (shapes.a == shapes.output) {  // as PRELU requires
      ExpectBits<float>(BuiltinOperator_PRELU, TensorType_FLOAT32, TensorType_FLOAT32, *Register_PRELU(), shapes);
    }
    if (shapes.output.size() > 6) continue;  // more than the MUL of TFLite accepts
    ExpectBits<int32_t>(BuiltinOperator_MUL, TensorType_INT32, TensorType_INT32, *Register_MUL(), shapes);
    ExpectBits<uint32_t>(BuiltinOperator_MUL, TensorType_UINT32, TensorType_UINT32, *Register_MUL(), shapes);
    ExpectBits<int64_t>(BuiltinOperator_MUL, TensorType_INT64, TensorType_INT64, *Register_MUL(), shapes);
  }
}

// Quotients next to integers, and the lowest integer by -1.
TEST(BroadcastArithmeticTest, QuotientsHaveTheBitsOfTflite) {
  std::vector<int32_t> dividends = EdgesOf<int32_t>(), divisors = {-1, 1, 3, -7, INT32_MIN, INT32_MAX, 46341, -65537};
  uint32_t random = 46;
  for (int i = 0; i < 1000; ++i) {
    random = random * 1664525 + 1013904223;
    const auto divisor = static_cast<int32_t>(random) >> (random % 31);
    if (divisor == 0) continue;
    divisors.push_back(divisor);
    const int32_t product = divisor * (INT32_MAX / divisor);  // the largest multiple
    dividends.insert(dividends.end(), {product, product - 1, -product, 1 - product, static_cast<int32_t>(random * 7)});
  }
  std::vector<Shapes> all = kShapes;
  all.push_back({{4001}, {4001}, {4001}});
  all.insert(all.end(), 8, {{4001}, {}, {4001}});  // by each of the first divisors
  size_t first = 0;
  for (const Shapes& shapes : all) {
    if (shapes.output.size() > 6) continue;  // more than the DIV of TFLite accepts
    TestModel file;
    TestSubgraph& main = file.main();
    const int x = main.Tensor(TensorType_INT32, shapes.a), y = main.Tensor(TensorType_INT32, shapes.b);
    const int z = main.Tensor(TensorType_INT32, shapes.output);
    main.Op(BuiltinOperator_DIV, {x, y}, {z}, DivOptionsT());
    main.SetInputs({x, y});
    main.SetOutputs({z});
    LoadedModel model(file);
    ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
    Fill(model, x, dividends);
    Fill(model, y, std::vector<int32_t>(divisors.begin() + first++ % 8, divisors.end()));
    ExpectBitsOfTflite(model, *ops::builtin::Register_DIV());
  }
}

}  // namespace
}  // namespace tflite::webnn
