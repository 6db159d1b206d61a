#include "delegate/op_registry.h"

#include <cstring>

#include "delegate/ops/ops.h"

namespace tflite::webnn {
namespace {

// One row an op, in the order of the families in ops/ops.h. The highest version is TFLite's own
// (core/kernels/register.cc of the pinned commit): versions mostly add data types, which the tensors
// themselves tell, so that what matters is that no version unknown to this table is claimed.
constexpr OpRow kOps[] = {
    {kTfLiteBuiltinConv2d, nullptr, 8, 2, LowerConv2d},
    {kTfLiteBuiltinDepthwiseConv2d, nullptr, 7, 2, LowerDepthwiseConv2d},
    {kTfLiteBuiltinTransposeConv, nullptr, 5, 3, LowerTransposeConv},
    {kTfLiteBuiltinCustom, "Convolution2DTransposeBias", 1, 3, LowerConvolution2DTransposeBias},
    {kTfLiteBuiltinFullyConnected, nullptr, 14, 2, LowerFullyConnected},
    {kTfLiteBuiltinAveragePool2d, nullptr, 3, 1, LowerPool2d},
    {kTfLiteBuiltinMaxPool2d, nullptr, 3, 1, LowerPool2d},
    {kTfLiteBuiltinAdd, nullptr, 5, 2, LowerBinary},
    {kTfLiteBuiltinSub, nullptr, 5, 2, LowerBinary},
    {kTfLiteBuiltinMul, nullptr, 7, 2, LowerBinary},
    {kTfLiteBuiltinDiv, nullptr, 2, 2, LowerBinary},
    {kTfLiteBuiltinMaximum, nullptr, 4, 2, LowerBinary},
    {kTfLiteBuiltinMinimum, nullptr, 4, 2, LowerBinary},
    {kTfLiteBuiltinPow, nullptr, 1, 2, LowerBinary},
    {kTfLiteBuiltinFloorDiv, nullptr, 3, 2, LowerComposedBinary},
    {kTfLiteBuiltinFloorMod, nullptr, 2, 2, LowerComposedBinary},
    {kTfLiteBuiltinSquaredDifference, nullptr, 3, 2, LowerComposedBinary},
    {kTfLiteBuiltinCast, nullptr, 7, 1, LowerCast},
    {kTfLiteBuiltinAbs, nullptr, 5, 1, LowerUnary},
    {kTfLiteBuiltinCeil, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinCos, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinElu, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinExp, nullptr, 2, 1, LowerUnary},
    {kTfLiteBuiltinFloor, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinHardSwish, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinLog, nullptr, 2, 1, LowerUnary},
    {kTfLiteBuiltinLogistic, nullptr, 3, 1, LowerUnary},
    {kTfLiteBuiltinNeg, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinRound, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinRsqrt, nullptr, 3, 1, LowerUnary},
    {kTfLiteBuiltinSign, nullptr, 2, 1, LowerUnary},
    {kTfLiteBuiltinSin, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinSqrt, nullptr, 2, 1, LowerUnary},
    {kTfLiteBuiltinSquare, nullptr, 1, 1, LowerUnary},
    {kTfLiteBuiltinTanh, nullptr, 3, 1, LowerUnary},
    {kTfLiteBuiltinRelu, nullptr, 3, 1, LowerActivation},
    {kTfLiteBuiltinRelu6, nullptr, 3, 1, LowerActivation},
    {kTfLiteBuiltinReluN1To1, nullptr, 1, 1, LowerActivation},
    {kTfLiteBuiltinRelu0To1, nullptr, 1, 1, LowerActivation},
    {kTfLiteBuiltinLeakyRelu, nullptr, 2, 1, LowerLeakyRelu},
    {kTfLiteBuiltinGelu, nullptr, 2, 1, LowerGelu},
    {kTfLiteBuiltinPrelu, nullptr, 1, 2, LowerPrelu},
    {kTfLiteBuiltinSoftmax, nullptr, 3, 1, LowerSoftmax},
    {kTfLiteBuiltinMean, nullptr, 3, 2, LowerReduce},
    {kTfLiteBuiltinSum, nullptr, 2, 2, LowerReduce},
    {kTfLiteBuiltinReduceMax, nullptr, 3, 2, LowerReduce},
    {kTfLiteBuiltinReduceMin, nullptr, 3, 2, LowerReduce},
    {kTfLiteBuiltinReduceProd, nullptr, 2, 2, LowerReduce},
    {kTfLiteBuiltinReduceAny, nullptr, 1, 2, LowerReduce},
    {kTfLiteBuiltinReduceAll, nullptr, 1, 2, LowerReduce},
    {kTfLiteBuiltinCumsum, nullptr, 1, 2, LowerCumsum},
    {kTfLiteBuiltinReshape, nullptr, 1, 1, LowerReshape},
    {kTfLiteBuiltinSqueeze, nullptr, 2, 1, LowerReshape},
    {kTfLiteBuiltinExpandDims, nullptr, 1, 2, LowerReshape},
    {kTfLiteBuiltinTranspose, nullptr, 7, 2, LowerTranspose},
    {kTfLiteBuiltinDepthToSpace, nullptr, 2, 1, LowerDepthToSpace},
    {kTfLiteBuiltinSpaceToDepth, nullptr, 2, 1, LowerSpaceToDepth},
    {kTfLiteBuiltinSpaceToBatchNd, nullptr, 4, 3, LowerSpaceToBatchNd},
    {kTfLiteBuiltinBatchToSpaceNd, nullptr, 4, 3, LowerBatchToSpaceNd},
    {kTfLiteBuiltinConcatenation, nullptr, 5, 1, LowerConcatenation},
    {kTfLiteBuiltinSplit, nullptr, 4, 2, LowerSplit},
    {kTfLiteBuiltinSplitV, nullptr, 2, 3, LowerSplitV},
    {kTfLiteBuiltinPad, nullptr, 5, 2, LowerPad},
    {kTfLiteBuiltinPadv2, nullptr, 5, 3, LowerPad},
    {kTfLiteBuiltinMirrorPad, nullptr, 3, 2, LowerMirrorPad},
    {kTfLiteBuiltinSlice, nullptr, 7, 3, LowerSlice},
    {kTfLiteBuiltinStridedSlice, nullptr, 8, 4, LowerStridedSlice},
    {kTfLiteBuiltinReverseV2, nullptr, 3, 2, LowerReverse},
    {kTfLiteBuiltinResizeBilinear, nullptr, 4, 2, LowerResizeBilinear},
    {kTfLiteBuiltinResizeNearestNeighbor, nullptr, 4, 2, LowerResizeNearestNeighbor},
    {kTfLiteBuiltinEqual, nullptr, 4, 2, LowerComparison},
    {kTfLiteBuiltinNotEqual, nullptr, 3, 2, LowerComparison},
    {kTfLiteBuiltinGreater, nullptr, 2, 2, LowerComparison},
    {kTfLiteBuiltinGreaterEqual, nullptr, 3, 2, LowerComparison},
    {kTfLiteBuiltinLess, nullptr, 3, 2, LowerComparison},
    {kTfLiteBuiltinLessEqual, nullptr, 3, 2, LowerComparison},
    {kTfLiteBuiltinLogicalAnd, nullptr, 1, 2, LowerComparison},
    {kTfLiteBuiltinLogicalOr, nullptr, 1, 2, LowerComparison},
    {kTfLiteBuiltinLogicalNot, nullptr, 1, 1, LowerLogicalNot},
    {kTfLiteBuiltinSelect, nullptr, 4, 3, LowerSelect},
    {kTfLiteBuiltinSelectV2, nullptr, 2, 3, LowerSelect},
    {kTfLiteBuiltinGather, nullptr, 7, 2, LowerGather},
    {kTfLiteBuiltinGatherNd, nullptr, 5, 2, LowerGatherNd},
    {kTfLiteBuiltinEmbeddingLookup, nullptr, 4, 2, LowerEmbeddingLookup},
    {kTfLiteBuiltinArgMax, nullptr, 3, 2, LowerArgMinMax},
    {kTfLiteBuiltinArgMin, nullptr, 3, 2, LowerArgMinMax},
    {kTfLiteBuiltinTile, nullptr, 3, 2, LowerTile},
    {kTfLiteBuiltinBroadcastTo, nullptr, 3, 2, LowerBroadcastTo},
    {kTfLiteBuiltinPack, nullptr, 4, 1, LowerPack},
    {kTfLiteBuiltinUnpack, nullptr, 4, 1, LowerUnpack},
    {kTfLiteBuiltinBatchMatmul, nullptr, 4, 2, LowerBatchMatmul},
    {kTfLiteBuiltinL2Normalization, nullptr, 2, 1, LowerL2Normalization},
    {kTfLiteBuiltinLogSoftmax, nullptr, 2, 1, LowerLogSoftmax},
    {kTfLiteBuiltinLocalResponseNormalization, nullptr, 1, 1, LowerLocalResponseNormalization},
    {kTfLiteBuiltinShape, nullptr, 1, 1, LowerUnfolded},
    {kTfLiteBuiltinRank, nullptr, 1, 1, LowerUnfolded},
    {kTfLiteBuiltinRange, nullptr, 2, 3, LowerUnfolded},
    {kTfLiteBuiltinFill, nullptr, 4, 2, LowerFill},
    {kTfLiteBuiltinQuantize, nullptr, 4, 1, LowerQuantize},
    {kTfLiteBuiltinDequantize, nullptr, 8, 1, LowerQuantize},
    {kTfLiteBuiltinDensify, nullptr, 1, 1, LowerUnfolded},
};

bool IsRowOf(const OpRow& row, const OpView& op) {
  if (row.builtin_code != op.builtin_code()) return false;
  return row.custom_name == nullptr || std::strcmp(row.custom_name, op.name()) == 0;
}

}  // namespace

const OpRow* FindOp(const OpView& op) {
  for (const OpRow& row : kOps) {
    if (IsRowOf(row, op)) return &row;
  }
  return nullptr;
}

void LowerNode(const OpView& op, QuantizedForm form, GraphBuilder& builder) {
  builder.BeginNode(op, form);
  // What TFLite has computed while it prepared the graph, and constants that a DEQUANTIZE or a DENSIFY
  // unpacks (GraphView::UnpackedFrom), are constants for whoever reads them.
  if (op.output_count() == 1 && op.output(0).IsConstant()) {
    builder.Tensor(op.output(0));
    return;
  }
  const OpRow* row = FindOp(op);
  if (row == nullptr) {
    builder.Refuse(std::string("the delegate has no lowering for ") + op.name());
    return;
  }
  if (op.version() > row->max_version) {
    builder.Refuse(std::string(op.name()) + " has version " + std::to_string(op.version()) +
                   ", the delegate knows versions up to " + std::to_string(row->max_version));
    return;
  }
  for (int i = 0; i < row->min_inputs; ++i) {
    if (!op.HasInput(i)) {
      builder.Refuse("input " + std::to_string(i) + " is missing");
      return;
    }
  }
  row->lower(op, builder);
}

}  // namespace tflite::webnn
