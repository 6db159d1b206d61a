#include "delegate/quantization/quantized_meaning.h"

#include <algorithm>
#include <iterator>

#include "tensorflow/lite/builtin_ops.h"

namespace tflite::webnn {
namespace {

// Read from the Prepare and Eval functions of TFLite's kernels, in alphabetical order.
constexpr int kReal[] = {
    kTfLiteBuiltinAbs,
    kTfLiteBuiltinAdd,
    kTfLiteBuiltinArgMax,
    kTfLiteBuiltinArgMin,
    kTfLiteBuiltinAveragePool2d,
    kTfLiteBuiltinBatchMatmul,
    kTfLiteBuiltinConcatenation,
    kTfLiteBuiltinConv2d,
    kTfLiteBuiltinDepthwiseConv2d,
    kTfLiteBuiltinDequantize,
    kTfLiteBuiltinDiv,
    kTfLiteBuiltinElu,
    kTfLiteBuiltinEmbeddingLookup,
    kTfLiteBuiltinEqual,
    kTfLiteBuiltinExp,
    kTfLiteBuiltinFullyConnected,
    kTfLiteBuiltinGelu,
    kTfLiteBuiltinGreater,
    kTfLiteBuiltinGreaterEqual,
    kTfLiteBuiltinHardSwish,
    kTfLiteBuiltinL2Normalization,
    kTfLiteBuiltinLeakyRelu,
    kTfLiteBuiltinLess,
    kTfLiteBuiltinLessEqual,
    kTfLiteBuiltinLog,
    kTfLiteBuiltinLogistic,
    kTfLiteBuiltinLogSoftmax,
    kTfLiteBuiltinMaxPool2d,
    kTfLiteBuiltinMean,
    kTfLiteBuiltinMul,
    kTfLiteBuiltinNotEqual,
    kTfLiteBuiltinPrelu,
    kTfLiteBuiltinQuantize,
    kTfLiteBuiltinReduceProd,
    kTfLiteBuiltinRelu,
    kTfLiteBuiltinRelu0To1,
    kTfLiteBuiltinRelu6,
    kTfLiteBuiltinReluN1To1,
    kTfLiteBuiltinRsqrt,
    kTfLiteBuiltinSoftmax,
    kTfLiteBuiltinSqrt,
    kTfLiteBuiltinSquaredDifference,
    kTfLiteBuiltinSub,
    kTfLiteBuiltinSum,
    kTfLiteBuiltinTanh,
    kTfLiteBuiltinTransposeConv,
};

constexpr int kCopied[] = {
    kTfLiteBuiltinBatchToSpaceNd,
    kTfLiteBuiltinBroadcastTo,
    kTfLiteBuiltinDepthToSpace,
    kTfLiteBuiltinDynamicUpdateSlice,
    kTfLiteBuiltinExpandDims,
    kTfLiteBuiltinFill,
    kTfLiteBuiltinGather,
    kTfLiteBuiltinGatherNd,
    kTfLiteBuiltinMaximum,
    kTfLiteBuiltinMinimum,
    kTfLiteBuiltinMirrorPad,
    kTfLiteBuiltinPack,
    kTfLiteBuiltinPad,
    kTfLiteBuiltinPadv2,
    kTfLiteBuiltinReduceMax,
    kTfLiteBuiltinReduceMin,
    kTfLiteBuiltinReshape,
    kTfLiteBuiltinResizeBilinear,
    kTfLiteBuiltinResizeNearestNeighbor,
    kTfLiteBuiltinReverseSequence,
    kTfLiteBuiltinReverseV2,
    kTfLiteBuiltinSelect,
    kTfLiteBuiltinSelectV2,
    kTfLiteBuiltinSlice,
    kTfLiteBuiltinSpaceToBatchNd,
    kTfLiteBuiltinSpaceToDepth,
    kTfLiteBuiltinSplit,
    kTfLiteBuiltinSplitV,
    kTfLiteBuiltinSqueeze,
    kTfLiteBuiltinStridedSlice,
    kTfLiteBuiltinTile,
    kTfLiteBuiltinTranspose,
    kTfLiteBuiltinUnpack,
};

template <size_t n>
bool Contains(const int (&codes)[n], int code) {
  return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

}  // namespace

QuantizedMeaning MeaningOfQuantized(int builtin_code) {
  if (builtin_code == kTfLiteBuiltinCast) return QuantizedMeaning::kInteger;
  if (Contains(kReal, builtin_code)) return QuantizedMeaning::kReal;
  if (Contains(kCopied, builtin_code)) return QuantizedMeaning::kCopied;
  return QuantizedMeaning::kUnknown;
}

}  // namespace tflite::webnn
