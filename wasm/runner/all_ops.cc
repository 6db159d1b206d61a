// Every builtin op, and the custom ops of MediaPipe's models.
#include "runner/kernels/byte_hard_swish.h"
#include "runner/kernels/convolution_2d_transpose_bias.h"
#include "runner/kernels/exact_conv_3d.h"
#include "runner/kernels/hybrid_depthwise_conv.h"
#include "runner/kernels/integer_batch_matmul.h"
#include "runner/kernels/integer_conv_2d.h"
#include "runner/kernels/integer_elementwise.h"
#include "runner/kernels/integer_fully_connected.h"
#include "runner/kernels/integer_mean.h"
#include "runner/kernels/integer_quantize.h"
#include "runner/kernels/integer_softmax.h"
#include "runner/ops.h"
#include "tensorflow/lite/core/kernels/register.h"

namespace tflite::webnn {

void AddOps(MutableOpResolver& resolver) {
  resolver.AddAll(ops::builtin::BuiltinOpResolverWithoutDefaultDelegates());
  resolver.AddBuiltin(BuiltinOperator_ADD, RegisterIntegerAdd(), kIntegerAddMinVersion, kIntegerAddMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_BATCH_MATMUL, RegisterIntegerBatchMatmul(), kIntegerBatchMatmulMinVersion,
                      kIntegerBatchMatmulMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_CONV_2D, RegisterIntegerConv2d(), kIntegerConv2dMinVersion,
                      kIntegerConv2dMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_CONV_3D, RegisterExactConv3d(), kExactConv3dMinVersion, kExactConv3dMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_CONV_3D_TRANSPOSE, RegisterExactConv3dTranspose(),
                      kExactConv3dTransposeMinVersion, kExactConv3dTransposeMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_DEPTHWISE_CONV_2D, RegisterHybridDepthwiseConv(), kHybridDepthwiseConvMinVersion,
                      kHybridDepthwiseConvMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_DEQUANTIZE, RegisterIntegerDequantize(), kIntegerDequantizeMinVersion,
                      kIntegerDequantizeMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_FULLY_CONNECTED, RegisterIntegerFullyConnected(),
                      kIntegerFullyConnectedMinVersion, kIntegerFullyConnectedMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_HARD_SWISH, RegisterByteHardSwish(), kByteHardSwishMinVersion,
                      kByteHardSwishMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_MEAN, RegisterIntegerMean(), kIntegerMeanMinVersion, kIntegerMeanMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_MUL, RegisterIntegerMul(), kIntegerMulMinVersion, kIntegerMulMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_QUANTIZE, RegisterIntegerQuantize(), kIntegerQuantizeMinVersion,
                      kIntegerQuantizeMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_SOFTMAX, RegisterIntegerSoftmax(), kIntegerSoftmaxMinVersion,
                      kIntegerSoftmaxMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_SQUARED_DIFFERENCE, RegisterIntegerSquaredDifference(),
                      kIntegerSquaredDifferenceMinVersion, kIntegerSquaredDifferenceMaxVersion);
  resolver.AddBuiltin(BuiltinOperator_SUB, RegisterIntegerSub(), kIntegerSubMinVersion, kIntegerSubMaxVersion);
  resolver.AddCustom(kConvolution2DTransposeBiasName, RegisterConvolution2DTransposeBias());
}

const std::vector<std::string_view>& OpsLeftOut() {
  static const std::vector<std::string_view> kNone;
  return kNone;
}

const char* SelectedOps() { return "null"; }

}  // namespace tflite::webnn
