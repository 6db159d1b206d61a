#include <gtest/gtest.h>

#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"
#include "tests/unit/kernel_bits.h"

namespace tflite::webnn {
namespace {

// A constant with one scale and no zero point.
template <typename T>
int Constant(TestSubgraph& graph, TensorType type, const std::vector<int>& shape, const std::vector<T>& values,
             float scale) {
  const int tensor = graph.Constant(type, shape, values);
  graph.tensor(tensor).quantization = std::make_unique<QuantizationParametersT>();
  graph.tensor(tensor).quantization->scale = {scale};
  graph.tensor(tensor).quantization->zero_point = {0};
  return tensor;
}

TEST(IntegerConv2dTest, BitsOfTflite) {
  constexpr int kDepth = 3, kChannels = 2;
  std::vector<int8_t> weights(kChannels * 3 * 3 * kDepth);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<int8_t>(i * 37 % 255 - 127);
  for (const auto& [stride, dilation] : {std::pair{1, 1}, {2, 1}, {1, 2}}) {
    TestModel file;
    TestSubgraph& main = file.main();
    const int x = main.Quantized(TensorType_INT16, {2, 5, 4, kDepth}, 0.01f, 0);
    const int filter = Constant(main, TensorType_INT8, {kChannels, 3, 3, kDepth}, weights, 0.02f);
    const int bias = Constant<int64_t>(main, TensorType_INT64, {kChannels}, {-1000, 70000}, 0.0002f);
    const int y = main.Quantized(TensorType_INT16, {2, 1, 1, kChannels}, 0.5f, 0);
    Conv2DOptionsT options;
    options.padding = Padding_SAME;
    options.stride_h = options.stride_w = stride;
    options.dilation_h_factor = options.dilation_w_factor = dilation;
    main.Op(BuiltinOperator_CONV_2D, {x, filter, bias}, {y}, std::move(options));
    main.SetInputs({x});
    main.SetOutputs({y});
    LoadedModel model(file);
    ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
    Fill<int16_t>(model, x, {1, -20000, 300, 7, 15000, -4, 32767});
    ExpectBitsOfTflite(model, *ops::builtin::Register_CONV_2D());
  }
}

}  // namespace
}  // namespace tflite::webnn
