// LOG, LOG_SOFTMAX, SIGN, FAKE_QUANT and CAST of floats.
#include <gtest/gtest.h>

#include <cmath>

#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"
#include "tests/unit/kernel_bits.h"

namespace tflite::webnn {
namespace {

std::vector<float> Floats() {
  std::vector<float> values = EdgesOf<float>();
  for (int i = -40; i < 40; ++i) values.push_back(static_cast<float>(i) * 0.37f);
  values.insert(values.end(), {0.5f, 1.5f, 0.49999997f, -0.5f, 3e9f, -3e9f});
  return values;
}

template <typename Options>
void ExpectBits(BuiltinOperator op, const TfLiteRegistration& tflite, int count, Options options) {
  TestModel file;
  TestSubgraph& main = file.main();
  const int x = main.Float({count}), y = main.Float({count});
  main.Op(op, {x}, {y}, std::move(options));
  main.SetInputs({x});
  main.SetOutputs({y});
  LoadedModel model(file);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  Fill(model, x, Floats());
  ExpectBitsOfTflite(model, tflite);
}

TEST(FloatElementwiseTest, SignsHaveTheBitsOfTflite) {
  for (const int count : {1, 4, 95, 97}) {
    ExpectBits(BuiltinOperator_SIGN, *ops::builtin::Register_SIGN(), count, SignOptionsT());
  }
}

TEST(FloatElementwiseTest, FakeQuantizationHasTheBitsOfTflite) {
  for (const int bits : {2, 8, 16}) {
    for (const auto& [min, max] : std::vector<std::pair<float, float>>{{0, 6}, {-1, 1}, {-0.3f, 12.7f}, {-4, 0}}) {
      FakeQuantOptionsT options;
      options.min = min, options.max = max, options.num_bits = bits;
      ExpectBits(BuiltinOperator_FAKE_QUANT, *ops::builtin::Register_FAKE_QUANT(), 97, std::move(options));
    }
  }
}

TEST(FloatElementwiseTest, LogarithmsOfAllNumbers) {
  TestModel file;
  TestSubgraph& main = file.main();
  std::vector<float> values = Floats();
  for (double value = 1e-44; value < 3e38; value *= 1.0371) values.push_back(static_cast<float>(value));
  for (float value = 0.9f; value < 1.1f; value += 0.000173f) values.push_back(value);
  const int count = static_cast<int>(values.size());
  const int x = main.Float({count}), y = main.Float({count});
  main.Op(BuiltinOperator_LOG, {x}, {y});
  main.SetInputs({x});
  main.SetOutputs({y});
  LoadedModel model(file);
  const std::vector<float> found = RunModel(model, {values});
  for (int i = 0; i < count; ++i) {
    const auto expected = static_cast<float>(std::log(static_cast<double>(values[i])));
    if (std::isfinite(expected)) {
      EXPECT_NEAR(found[i], expected, 3e-7f * std::fabs(expected)) << values[i];
    } else {
      EXPECT_EQ(std::isnan(found[i]), std::isnan(expected)) << values[i];
      EXPECT_EQ(found[i] < 0, expected < 0) << values[i];
    }
  }
}

std::vector<double> LogSoftmaxOf(const float* x, int depth) {
  double largest = -INFINITY, sum = 0;
  for (int i = 0; i < depth; ++i) largest = std::fmax(largest, x[i]);
  for (int i = 0; i < depth; ++i) sum += std::exp(x[i] - largest);
  std::vector<double> result;
  for (int i = 0; i < depth; ++i) result.push_back(x[i] - largest - std::log(sum));
  return result;
}

// Rows of numbers near each other, far from each other, without a largest one, and with NaN.
TEST(FloatElementwiseTest, LogSoftmaxOfAllNumbers) {
  constexpr int kRows = 60;
  for (const int depth : {1, 3, 4, 5, 6, 7, 8, 10, 31, 1000}) {
    TestModel file;
    TestSubgraph& main = file.main();
    const int x = main.Float({kRows, depth}), y = main.Float({kRows, depth});
    main.Op(BuiltinOperator_LOG_SOFTMAX, {x}, {y}, LogSoftmaxOptionsT());
    main.SetInputs({x});
    main.SetOutputs({y});
    LoadedModel model(file);
    std::vector<float> values;
    for (int i = 0; i < kRows * depth; ++i) {
      const int row = i / depth;
      values.push_back(std::sin(static_cast<float>(i)) * static_cast<float>(row * row) * 0.1f);
      if (row == 50) values.back() = i % 3 == 0 ? -INFINITY : 1.5f;
      if (row == 51) values.back() = -INFINITY;
      if (row == 52 && i % depth == depth / 2) values.back() = INFINITY;
      if (row == 53 && i % depth == depth - 1) values.back() = NAN;
      if (row == 54) values.back() = -3e38f * static_cast<float>(i % 2);
    }
    const std::vector<float> found = RunModel(model, {values});
    for (int row = 0; row < kRows; ++row) {
      const std::vector<double> expected = LogSoftmaxOf(values.data() + row * depth, depth);
      for (int i = 0; i < depth; ++i) {
        const float value = found[row * depth + i];
        if (std::isfinite(expected[i])) {
          EXPECT_NEAR(value, expected[i], 3e-7 * (1 + std::fabs(expected[i]))) << depth << " " << row << " " << i;
        } else {
          EXPECT_EQ(std::isnan(value), std::isnan(expected[i])) << depth << " " << row << " " << i;
          EXPECT_EQ(value < 0, expected[i] < 0) << depth << " " << row << " " << i;
        }
      }
    }
  }
}

TEST(FloatElementwiseTest, CastsSaturate) {
  TestModel file;
  TestSubgraph& main = file.main();
  const std::vector<float> values = Floats();
  const int count = static_cast<int>(values.size());
  const int x = main.Float({count}), y = main.Tensor(TensorType_INT32, {count});
  main.Op(BuiltinOperator_CAST, {x}, {y});
  main.SetInputs({x});
  main.SetOutputs({y});
  LoadedModel model(file);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  Fill(model, x, values);
  ASSERT_EQ(model.graph().Invoke(), kTfLiteOk);
  for (int i = 0; i < count; ++i) {
    const double limited = std::isnan(values[i]) ? 0x7FFFFFFF : std::fmin(std::fmax(values[i], -0x1p31), 0x1p31 - 1);
    EXPECT_EQ(model.graph().tensor(y)->data.i32[i], static_cast<int32_t>(limited)) << values[i];
  }
}

}  // namespace
}  // namespace tflite::webnn
