// CONV_3D, compared with TFLite's reference kernel on integers, whose sums are exact in any order.
#include <gtest/gtest.h>

#include "tests/unit/kernel_bits.h"

namespace tflite::ops::builtin {

TfLiteRegistration* Register_CONV_3D_REF();

}  // namespace tflite::ops::builtin

namespace tflite::webnn {
namespace {

struct Case {
  std::vector<int> input, filter;
  std::vector<int> strides = {1, 1, 1}, dilations = {1, 1, 1};
  Padding padding = Padding_SAME;
  bool has_bias = true;
  ActivationFunctionType activation = ActivationFunctionType_NONE;
};

const std::vector<Case> kCases = {
    {{1, 3, 4, 5, 2}, {3, 3, 3, 2, 3}},
    {{2, 3, 4, 5, 3}, {2, 1, 3, 3, 5}, {1, 2, 2}},
    {{1, 5, 6, 7, 1}, {2, 3, 3, 1, 4}, {1, 1, 1}, {2, 1, 3}, Padding_VALID, false},
    {{2, 2, 3, 4, 5}, {3, 3, 2, 5, 2}, {1, 1, 1}, {1, 2, 2}, Padding_SAME, true, ActivationFunctionType_RELU6},
    {{1, 2, 3, 4, 6}, {1, 1, 1, 6, 7}},
    {{1, 4, 5, 5, 3}, {1, 1, 1, 3, 2}, {2, 2, 1}, {1, 1, 1}, Padding_VALID},
    {{1, 1, 2, 2, 9}, {5, 5, 5, 9, 2}},
    // More than a block of patches.
    {{1, 16, 17, 18, 8}, {3, 3, 3, 8, 2}},
};

TEST(Conv3dTest, BitsOfTflitesReferenceKernel) {
  for (const Case& each : kCases) {
    TestModel file;
    TestSubgraph& main = file.main();
    const int units = each.filter[4];
    const int x = main.Float(each.input), filter = main.Float(each.filter), bias = main.Float({units});
    const int y = main.Float({1, 1, 1, 1, units});
    Conv3DOptionsT options;
    options.padding = each.padding;
    options.stride_d = each.strides[0], options.stride_h = each.strides[1], options.stride_w = each.strides[2];
    options.dilation_d_factor = each.dilations[0];
    options.dilation_h_factor = each.dilations[1];
    options.dilation_w_factor = each.dilations[2];
    options.fused_activation_function = each.activation;
    main.Op(BuiltinOperator_CONV_3D, {x, filter, each.has_bias ? bias : -1}, {y}, std::move(options));
    main.SetInputs({x, filter, bias});
    main.SetOutputs({y});
    LoadedModel model(file);
    ASSERT_EQ(model.graph().AllocateTensors(), kTfLiteOk);
    Fill<float>(model, x, {1, -2, 3, 0, 5, -1, 2});
    Fill<float>(model, filter, {2, 1, -1, 3, -3});
    Fill<float>(model, bias, {1, -4, 7});
    ExpectBitsOfTflite(model, *ops::builtin::Register_CONV_3D_REF());
  }
}

}  // namespace
}  // namespace tflite::webnn
