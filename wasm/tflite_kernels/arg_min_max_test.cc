#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/unit/kernel_bits.h"

namespace tflite::webnn {
namespace {

// The first of the best numbers; NaN where a row has nothing else.
int Expected(const float* values, int size, int step, bool is_maximum) {
  int best = 0;
  for (int i = 1; i < size; ++i) {
    const float value = values[i * step], other = values[best * step];
    if (std::isnan(value)) continue;
    if (std::isnan(other) || (is_maximum ? value > other : value < other)) best = i;
  }
  return best;
}

template <typename Index>
void ExpectFirst(bool is_maximum, TensorType index_type, int outer, int size, int inner) {
  TestModel file;
  TestSubgraph& main = file.main();
  const int x = main.Float({outer, size, inner}), y = main.Tensor(index_type, {outer, inner});
  const int axis = main.Ints({}, {1});
  if (is_maximum) {
    ArgMaxOptionsT options;
    options.output_type = index_type;
    main.Op(BuiltinOperator_ARG_MAX, {x, axis}, {y}, std::move(options));
  } else {
    ArgMinOptionsT options;
    options.output_type = index_type;
    main.Op(BuiltinOperator_ARG_MIN, {x, axis}, {y}, std::move(options));
  }
  main.SetInputs({x});
  main.SetOutputs({y});
  LoadedModel model(file);
  ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
  // Many are equal, and some rows have NaN only.
  std::vector<float> values;
  for (int i = 0; i < outer * size * inner; ++i) values.push_back(std::round(3 * std::sin(static_cast<float>(i * i))));
  for (size_t i = 0; i < values.size(); i += 5) values[i] = i % 3 == 0 ? -0.0f : NAN;
  for (int i = 0; i < size; ++i) values[i * inner] = NAN;
  values.back() = is_maximum ? -INFINITY : INFINITY;
  Fill(model, x, values);
  ASSERT_EQ(model.graph().Invoke(), kTfLiteOk);
  const auto* found = reinterpret_cast<const Index*>(model.graph().tensor(y)->data.raw);
  for (int i = 0; i < outer; ++i) {
    for (int j = 0; j < inner; ++j) {
      EXPECT_EQ(found[i * inner + j], Expected(values.data() + i * size * inner + j, size, inner, is_maximum))
          << size << " x " << inner << ", " << i << " " << j;
    }
  }
}

TEST(ArgMinMaxKernelTest, FirstOfTheBest) {
  for (const bool is_maximum : {true, false}) {
    for (const int size : {1, 2, 3, 4, 5, 7, 8, 21}) {
      for (const int inner : {1, 2, 3, 4, 5, 9}) {
        ExpectFirst<int32_t>(is_maximum, TensorType_INT32, 6, size, inner);
        ExpectFirst<int64_t>(is_maximum, TensorType_INT64, 6, size, inner);
      }
    }
  }
}

}  // namespace
}  // namespace tflite::webnn
