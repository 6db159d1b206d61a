#ifndef TFLITE_WEBNN_DELEGATE_OPS_OPS_H_
#define TFLITE_WEBNN_DELEGATE_OPS_OPS_H_

#include "delegate/graph_builder.h"
#include "delegate/graph_view.h"

// The lowering functions, one file an op family. op_table.cc names each once or more.
namespace tflite::webnn {

// convolution.cc
void LowerConv2d(const OpView& op, GraphBuilder& builder);
void LowerDepthwiseConv2d(const OpView& op, GraphBuilder& builder);
// transpose_convolution.cc
void LowerTransposeConv(const OpView& op, GraphBuilder& builder);
void LowerConvolution2DTransposeBias(const OpView& op, GraphBuilder& builder);
// fully_connected.cc
void LowerFullyConnected(const OpView& op, GraphBuilder& builder);
// pooling.cc
void LowerPool2d(const OpView& op, GraphBuilder& builder);
void LowerL2Pool2d(const OpView& op, GraphBuilder& builder);
// elementwise.cc
void LowerBinary(const OpView& op, GraphBuilder& builder);
void LowerSquaredDifference(const OpView& op, GraphBuilder& builder);
void LowerUnary(const OpView& op, GraphBuilder& builder);
void LowerCast(const OpView& op, GraphBuilder& builder);
// arithmetic.cc
void LowerStablehloBinary(const OpView& op, GraphBuilder& builder);
void LowerAddN(const OpView& op, GraphBuilder& builder);
void LowerFloorDivision(const OpView& op, GraphBuilder& builder);
void LowerFakeQuant(const OpView& op, GraphBuilder& builder);
// activation.cc
void LowerActivation(const OpView& op, GraphBuilder& builder);
void LowerLeakyRelu(const OpView& op, GraphBuilder& builder);
void LowerGelu(const OpView& op, GraphBuilder& builder);
void LowerPrelu(const OpView& op, GraphBuilder& builder);
void LowerSoftmax(const OpView& op, GraphBuilder& builder);
// reduction.cc
void LowerReduce(const OpView& op, GraphBuilder& builder);
void LowerCumsum(const OpView& op, GraphBuilder& builder);
// reshape.cc
void LowerReshape(const OpView& op, GraphBuilder& builder);
void LowerTranspose(const OpView& op, GraphBuilder& builder);
// space.cc
void LowerDepthToSpace(const OpView& op, GraphBuilder& builder);
void LowerSpaceToDepth(const OpView& op, GraphBuilder& builder);
void LowerSpaceToBatchNd(const OpView& op, GraphBuilder& builder);
void LowerBatchToSpaceNd(const OpView& op, GraphBuilder& builder);
// concatenation.cc
void LowerConcatenation(const OpView& op, GraphBuilder& builder);
void LowerSplit(const OpView& op, GraphBuilder& builder);
void LowerSplitV(const OpView& op, GraphBuilder& builder);
// padding.cc
void LowerPad(const OpView& op, GraphBuilder& builder);
void LowerMirrorPad(const OpView& op, GraphBuilder& builder);
// dilation.cc
void LowerStablehloPad(const OpView& op, GraphBuilder& builder);
void LowerDilate(const OpView& op, GraphBuilder& builder);
// slice.cc
void LowerSlice(const OpView& op, GraphBuilder& builder);
void LowerStridedSlice(const OpView& op, GraphBuilder& builder);
void LowerReverse(const OpView& op, GraphBuilder& builder);
// update_slice.cc
void LowerDynamicUpdateSlice(const OpView& op, GraphBuilder& builder);
// resize.cc
void LowerResizeBilinear(const OpView& op, GraphBuilder& builder);
void LowerResizeNearestNeighbor(const OpView& op, GraphBuilder& builder);
// logic.cc
void LowerComparison(const OpView& op, GraphBuilder& builder);
void LowerLogicalNot(const OpView& op, GraphBuilder& builder);
void LowerSelect(const OpView& op, GraphBuilder& builder);
// indexing.cc
void LowerGather(const OpView& op, GraphBuilder& builder);
void LowerGatherNd(const OpView& op, GraphBuilder& builder);
void LowerEmbeddingLookup(const OpView& op, GraphBuilder& builder);
void LowerArgMinMax(const OpView& op, GraphBuilder& builder);
void LowerTopK(const OpView& op, GraphBuilder& builder);
// encoding.cc
void LowerOneHot(const OpView& op, GraphBuilder& builder);
void LowerBucketize(const OpView& op, GraphBuilder& builder);
void LowerReverseSequence(const OpView& op, GraphBuilder& builder);
// scatter.cc
void LowerScatterNd(const OpView& op, GraphBuilder& builder);
void LowerSparseToDense(const OpView& op, GraphBuilder& builder);
// repetition.cc
void LowerTile(const OpView& op, GraphBuilder& builder);
void LowerBroadcastTo(const OpView& op, GraphBuilder& builder);
void LowerPack(const OpView& op, GraphBuilder& builder);
void LowerUnpack(const OpView& op, GraphBuilder& builder);
// recurrent.cc
void LowerSequenceLstm(const OpView& op, GraphBuilder& builder);
void LowerLstm(const OpView& op, GraphBuilder& builder);
void LowerRnn(const OpView& op, GraphBuilder& builder);
// matrix.cc
void LowerBatchMatmul(const OpView& op, GraphBuilder& builder);
// diagonal.cc
void LowerMatrixDiag(const OpView& op, GraphBuilder& builder);
void LowerMatrixSetDiag(const OpView& op, GraphBuilder& builder);
// normalization.cc
void LowerL2Normalization(const OpView& op, GraphBuilder& builder);
void LowerLogSoftmax(const OpView& op, GraphBuilder& builder);
void LowerLocalResponseNormalization(const OpView& op, GraphBuilder& builder);
// folding.cc
void LowerQuantize(const OpView& op, GraphBuilder& builder);
void LowerUnfolded(const OpView& op, GraphBuilder& builder);
void LowerFill(const OpView& op, GraphBuilder& builder);
void LowerZerosLike(const OpView& op, GraphBuilder& builder);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_OPS_H_
