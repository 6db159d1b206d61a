// Every builtin op, and the custom ops of MediaPipe's models.
#include "runner/kernels/own_kernels.h"
#include "runner/ops.h"
#include "tensorflow/lite/core/kernels/register.h"

namespace tflite::webnn {

// toolchain/selection/kernels.py reads the calls of ReplaceKernel().
void AddOps(MutableOpResolver& resolver) {
  resolver.AddAll(ops::builtin::BuiltinOpResolverWithoutDefaultDelegates());
  ReplaceKernel(resolver, BuiltinOperator_ADD, EvalIntegerAdd);
  ReplaceKernel(resolver, BuiltinOperator_ARG_MAX, EvalArgMax);
  ReplaceKernel(resolver, BuiltinOperator_ARG_MIN, EvalArgMin);
  ReplaceKernel(resolver, BuiltinOperator_BATCH_MATMUL, EvalIntegerBatchMatmul);
  ReplaceKernel(resolver, BuiltinOperator_CAST, EvalSaturatingCast);
  ReplaceKernel(resolver, BuiltinOperator_CONV_2D, EvalIntegerConv2d);
  ReplaceKernel(resolver, BuiltinOperator_CONV_3D, EvalExactConv3d, PrepareExactConv3d);
  ReplaceKernel(resolver, BuiltinOperator_CONV_3D_TRANSPOSE, EvalExactConv3dTranspose, PrepareExactConv3dTranspose);
  ReplaceKernel(resolver, BuiltinOperator_DEPTHWISE_CONV_2D, EvalHybridDepthwiseConv);
  ReplaceKernel(resolver, BuiltinOperator_DEQUANTIZE, EvalIntegerDequantize);
  ReplaceKernel(resolver, BuiltinOperator_FULLY_CONNECTED, EvalIntegerFullyConnected);
  ReplaceKernel(resolver, BuiltinOperator_HARD_SWISH, EvalByteHardSwish);
  ReplaceKernel(resolver, BuiltinOperator_MEAN, EvalIntegerMean);
  ReplaceKernel(resolver, BuiltinOperator_MUL, EvalIntegerMul);
  ReplaceKernel(resolver, BuiltinOperator_QUANTIZE, EvalIntegerQuantize);
  ReplaceKernel(resolver, BuiltinOperator_SOFTMAX, EvalIntegerSoftmax);
  ReplaceKernel(resolver, BuiltinOperator_SQUARED_DIFFERENCE, EvalIntegerSquaredDifference);
  ReplaceKernel(resolver, BuiltinOperator_SUB, EvalIntegerSub);
  resolver.AddCustom(kConvolution2DTransposeBiasName, RegisterConvolution2DTransposeBias());
}

const std::vector<std::string_view>& OpsLeftOut() {
  static const std::vector<std::string_view> kNone;
  return kNone;
}

const char* SelectedOps() { return "null"; }

}  // namespace tflite::webnn
