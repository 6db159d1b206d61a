#ifndef TFLITE_WEBNN_TFLITE_KERNELS_CUSTOM_KERNELS_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_CUSTOM_KERNELS_H_

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/mutable_op_resolver.h"

// Kernels in the place of TFLite's, which compute what these do not. Those with SIMD give the same bits.
namespace tflite::webnn {

// Inputs of CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED and Convolution2DTransposeBias.
inline constexpr int kInput = 0, kFilter = 1, kBias = 2;

using KernelFunction = TfLiteStatus (*)(TfLiteContext* context, TfLiteNode* node);

// Gives all registered versions of an op another invoke(), and another prepare() unless it is null.
inline void ReplaceKernel(MutableOpResolver& resolver, BuiltinOperator op, KernelFunction invoke,
                          KernelFunction prepare = nullptr) {
  for (int version = 1; const TfLiteRegistration* registered = resolver.FindOp(op, version); ++version) {
    TfLiteRegistration kernel = *registered;
    kernel.invoke = invoke;
    if (prepare != nullptr) kernel.prepare = prepare;
    resolver.AddBuiltin(op, &kernel, version);
  }
}

// ADD, SUB and MUL of int16, and SQUARED_DIFFERENCE of int8: TFLite has no SIMD for them in wasm.
TfLiteStatus EvalIntegerAdd(TfLiteContext* context, TfLiteNode* node);
TfLiteStatus EvalIntegerMul(TfLiteContext* context, TfLiteNode* node);
TfLiteStatus EvalIntegerSub(TfLiteContext* context, TfLiteNode* node);
TfLiteStatus EvalIntegerSquaredDifference(TfLiteContext* context, TfLiteNode* node);

// BATCH_MATMUL of int8 and int16: the attention of quantized transformers, whose second matrix has a zero point, for
// which XNNPACK has no kernel.
TfLiteStatus EvalIntegerBatchMatmul(TfLiteContext* context, TfLiteNode* node);

// CONV_2D of int16 activations, int8 weights and 64-bit sums, for which TFLite has a reference kernel only.
TfLiteStatus EvalIntegerConv2d(TfLiteContext* context, TfLiteNode* node);
// DEPTHWISE_CONV_2D of the same types, one filter for each channel, and at least 8 channels.
TfLiteStatus EvalIntegerDepthwiseConv2d(TfLiteContext* context, TfLiteNode* node);

// DEPTHWISE_CONV_2D of float32 activations, int8 weights, and at least 8 channels of one filter each: dynamic-range
// models, for which XNNPACK has no kernel. It gives native LiteRT's bits on x86, and calls
// EvalIntegerDepthwiseConv2d().
TfLiteStatus EvalHybridDepthwiseConv(TfLiteContext* context, TfLiteNode* node);

// FULLY_CONNECTED of int16 activations and int8 weights, for which XNNPACK has no kernel.
TfLiteStatus EvalIntegerFullyConnected(TfLiteContext* context, TfLiteNode* node);

// MEAN of int16 over the last axes, for which TFLite has a reference kernel only.
TfLiteStatus EvalIntegerMean(TfLiteContext* context, TfLiteNode* node);

// SOFTMAX of int8 and int16, which XNNPACK does not take.
TfLiteStatus EvalIntegerSoftmax(TfLiteContext* context, TfLiteNode* node);

// QUANTIZE and DEQUANTIZE, as far as XNNPACK does not take them:
// - between uint8 and int8 with equal scales and zero points 128 apart, at the ends of int8 networks with uint8 inputs,
//   only the highest bits are flipped
// - between float32 and int16; to int16 with native LiteRT's bits, since TFLite's kernel rounds differently in wasm
TfLiteStatus EvalIntegerQuantize(TfLiteContext* context, TfLiteNode* node);
TfLiteStatus EvalIntegerDequantize(TfLiteContext* context, TfLiteNode* node);

// ARG_MAX and ARG_MIN of float32: as in newer native LiteRT, NaN is never the result unless a row has nothing else.
TfLiteStatus EvalArgMax(TfLiteContext* context, TfLiteNode* node);
TfLiteStatus EvalArgMin(TfLiteContext* context, TfLiteNode* node);

// CAST of floats to integers: the nearest number of the type, and its highest for NaN, as newer native LiteRT computes.
// TFLite's kernel wraps around beyond int8, and C++ does not define what it does beyond int32.
TfLiteStatus EvalSaturatingCast(TfLiteContext* context, TfLiteNode* node);

// CONV_3D with TFLite's reference kernel for dilated convolutions: the optimized one copies as many channels as the
// input's depth (DilatedIm2col3D in im2col_utils.h), and with more channels its sums read uninitialized memory.
TfLiteStatus PrepareExactConv3d(TfLiteContext* context, TfLiteNode* node);
TfLiteStatus EvalExactConv3d(TfLiteContext* context, TfLiteNode* node);

// CONV_3D_TRANSPOSE with TFLite's reference kernel if there is padding: the optimized one uses the height's padding for
// the depth (Conv3DTranspose in optimized_ops.h).
TfLiteStatus PrepareExactConv3dTranspose(TfLiteContext* context, TfLiteNode* node);
TfLiteStatus EvalExactConv3dTranspose(TfLiteContext* context, TfLiteNode* node);

inline constexpr char kConvolution2DTransposeBiasName[] = "Convolution2DTransposeBias";

// MediaPipe's transposed convolution with bias: input [n, h, w, ci], filter [co, kh, kw, ci], bias [co], all float32.
// The op's data is a TfLiteTransposeConvParams of version 1. The output is h * stride for SAME padding,
// (h - 1) * stride + kh for VALID.
//
// XNNPACK and the WebNN delegate usually take the op; this plain kernel computes its output shape while the graph is
// prepared, and runs it if neither does.
TfLiteRegistration* RegisterConvolution2DTransposeBias();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_CUSTOM_KERNELS_H_
