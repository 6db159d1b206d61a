#ifndef TFLITE_WEBNN_TFLITE_KERNELS_CUSTOM_KERNELS_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_CUSTOM_KERNELS_H_

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/mutable_op_resolver.h"

// Kernels in place of TFLite's, which compute what these do not. Those with SIMD return the same bits.
namespace tflite::webnn {

// Inputs of CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED and Convolution2DTransposeBias.
inline constexpr int kInput = 0, kFilter = 1, kBias = 2;

using Kernel = TfLiteStatus(TfLiteContext* context, TfLiteNode* node);

// Replaces invoke() of all registered versions of an op, and prepare() unless it is null.
inline void ReplaceKernel(MutableOpResolver& resolver, BuiltinOperator op, Kernel* invoke, Kernel* prepare = nullptr) {
  for (int version = 1; const TfLiteRegistration* registered = resolver.FindOp(op, version); ++version) {
    TfLiteRegistration kernel = *registered;
    kernel.invoke = invoke;
    if (prepare != nullptr) kernel.prepare = prepare;
    resolver.AddBuiltin(op, &kernel, version);
  }
}

// Those that EvalHybridDepthwiseConv() leaves its nodes to.
Kernel EvalFloatDepthwiseConv, EvalIntegerDepthwiseConv2d;
Kernel EvalBroadcastMul;  // for EvalIntegerMul()

// The table's kernels. What each computes stands at its function.
#define KERNEL(op, types, ...) Kernel __VA_ARGS__;
#include "tflite_kernels/op_table.def"

inline constexpr char kConvolution2DTransposeBiasName[] = "Convolution2DTransposeBias";

// MediaPipe's transposed convolution with bias: input [n, h, w, ci], filter [co, kh, kw, ci], bias [co], all float32.
// The op's data is a TfLiteTransposeConvParams of version 1. The output is h * stride for SAME padding,
// (h - 1) * stride + kh for VALID.
//
// XNNPACK and the WebNN delegate usually run the op; this scalar kernel computes its output shape while the graph is
// prepared, and runs it if neither does.
TfLiteRegistration* RegisterConvolution2DTransposeBias();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_CUSTOM_KERNELS_H_
