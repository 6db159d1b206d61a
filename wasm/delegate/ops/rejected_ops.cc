#include "delegate/ops/op_entry.h"

namespace tflite::webnn {
namespace {

constexpr char kComplex[] = "WebNN has no complex numbers";
constexpr char kControlFlow[] = "WebNN graphs have no control flow";
constexpr char kDynamic[] = "the size of the result depends on the data, WebNN's shapes are fixed";
constexpr char kHashtable[] = "WebNN has no hash tables and no strings";
constexpr char kNoBits[] = "WebNN has no operators on bits";
constexpr char kNoConv3d[] = "WebNN convolves two spatial axes, not three";
constexpr char kNotAnOp[] = "a placeholder of the file format, not an op";
constexpr char kRandom[] = "WebNN has no random numbers";
constexpr char kSegments[] = "WebNN has no reduction by segment ids";
constexpr char kWindows[] = "WebNN reduces windows of images by average, maximum and L2 norm only";

constexpr RejectedOp kRejected[] = {
    {kTfLiteBuiltinAtan2, "WebNN has no arc tangent"},
    {kTfLiteBuiltinBidirectionalSequenceLstm, "not supported: two LSTMs with state and auxiliary inputs"},
    {kTfLiteBuiltinBidirectionalSequenceRnn, "not supported: two RNNs with state and auxiliary inputs"},
    {kTfLiteBuiltinBitcast, kNoBits},
    {kTfLiteBuiltinBitwiseXor, kNoBits},
    {kTfLiteBuiltinCall, kControlFlow},
    {kTfLiteBuiltinCallOnce, "it initializes a variable or a table that stays with TFLite"},
    {kTfLiteBuiltinComplexAbs, kComplex},
    {kTfLiteBuiltinConv3d, kNoConv3d},
    {kTfLiteBuiltinConv3dTranspose, kNoConv3d},
    {kTfLiteBuiltinDelegate, kNotAnOp},
    {kTfLiteBuiltinEmbeddingLookupSparse, "the number of rows that it adds up depends on the data"},
    {kTfLiteBuiltinHashtable, kHashtable},
    {kTfLiteBuiltinHashtableFind, kHashtable},
    {kTfLiteBuiltinHashtableImport, kHashtable},
    {kTfLiteBuiltinHashtableLookup, kHashtable},
    {kTfLiteBuiltinHashtableSize, kHashtable},
    {kTfLiteBuiltinIf, kControlFlow},
    {kTfLiteBuiltinImag, kComplex},
    {kTfLiteBuiltinLshProjection, "WebNN has no hashing"},
    {kTfLiteBuiltinMultinomial, kRandom},
    {kTfLiteBuiltinNonMaxSuppressionV4, kDynamic},
    {kTfLiteBuiltinNonMaxSuppressionV5, kDynamic},
    {kTfLiteBuiltinPlaceholderForGreaterOpCodes, kNotAnOp},
    {kTfLiteBuiltinRandomStandardNormal, kRandom},
    {kTfLiteBuiltinRandomUniform, kRandom},
    {kTfLiteBuiltinReal, kComplex},
    {kTfLiteBuiltinReduceWindow, kWindows},
    {kTfLiteBuiltinRfft2d, kComplex},
    {kTfLiteBuiltinRightShift, kNoBits},
    {kTfLiteBuiltinSegmentSum, kDynamic},
    {kTfLiteBuiltinSkipGram, "WebNN has no strings"},
    {kTfLiteBuiltinStablehloCase, kControlFlow},
    {kTfLiteBuiltinStablehloComposite,
     "loading replaces it by the nodes of its decomposition; where that is not possible, it stays on the CPU"},
    {kTfLiteBuiltinStablehloGather, "no WebNN operator gathers and clamps windows as it does"},
    {kTfLiteBuiltinStablehloReduceWindow, kWindows},
    {kTfLiteBuiltinStablehloRngBitGenerator, kRandom},
    {kTfLiteBuiltinStablehloShiftLeft, kNoBits},
    {kTfLiteBuiltinSvdf, "not supported: its state is a memory of activations that each run shifts"},
    {kTfLiteBuiltinUnique, kDynamic},
    {kTfLiteBuiltinUnsortedSegmentMax, kSegments},
    {kTfLiteBuiltinUnsortedSegmentMin, kSegments},
    {kTfLiteBuiltinUnsortedSegmentProd, kSegments},
    {kTfLiteBuiltinUnsortedSegmentSum, kSegments},
    {kTfLiteBuiltinVarHandle,
     "variables become inputs and outputs of the graph, but not those of several subgraphs, without a first value, or "
     "of changing type or shape"},
    {kTfLiteBuiltinWhere, kDynamic},
    {kTfLiteBuiltinWhile,
     "loading replaces it by its iterations where their number is known and small; else it stays on the CPU"},
};

}  // namespace

std::span<const RejectedOp> RejectedOps() { return kRejected; }

}  // namespace tflite::webnn
