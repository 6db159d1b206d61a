// Every builtin op, and the custom ops of MediaPipe's models.
#include "runner/kernels/guards.h"
#include "runner/kernels/own_kernels.h"
#include "runner/ops.h"
#include "tensorflow/lite/core/kernels/register.h"

namespace tflite::webnn {

// toolchain/selection/kernels.py reads the calls of ReplaceKernel() and AddGuard(), which stand behind them.
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

  AddGuard(resolver, BuiltinOperator_ARG_MAX, GuardTime::kBeforeEval, CheckNoEmptyAxis);
  AddGuard(resolver, BuiltinOperator_ARG_MIN, GuardTime::kBeforeEval, CheckNoEmptyAxis);
  AddGuard(resolver, BuiltinOperator_ASSIGN_VARIABLE, GuardTime::kBeforeEval, CheckVariableId);
  AddGuard(resolver, BuiltinOperator_AVERAGE_POOL_2D, GuardTime::kBeforePrepare, CheckWindow);
  AddGuard(resolver, BuiltinOperator_BATCH_MATMUL, GuardTime::kBeforePrepare, CheckMatrices);
  AddGuard(resolver, BuiltinOperator_BATCH_MATMUL, GuardTime::kAfterPrepare, CheckProductType);
  AddGuard(resolver, BuiltinOperator_BATCH_TO_SPACE_ND, GuardTime::kBeforePrepare, CheckCrops, {1, 2});
  AddGuard(resolver, BuiltinOperator_BROADCAST_ARGS, GuardTime::kBeforePrepare, CheckShapesBroadcast, {0, 1});
  AddGuard(resolver, BuiltinOperator_CONV_2D, GuardTime::kBeforePrepare, CheckChannels);
  AddGuard(resolver, BuiltinOperator_CONV_2D, GuardTime::kAfterPrepare, CheckGroups);
  AddGuard(resolver, BuiltinOperator_DEPTHWISE_CONV_2D, GuardTime::kAfterPrepare, CheckDepthwise);
  AddGuard(resolver, BuiltinOperator_DILATE, GuardTime::kBeforePrepare, CheckDilations, {1});
  AddGuard(resolver, BuiltinOperator_DIV, GuardTime::kAfterPrepare, CheckQuotientRank);
  AddGuard(resolver, BuiltinOperator_EMBEDDING_LOOKUP, GuardTime::kAfterPrepare, CheckRowType);
  AddGuard(resolver, BuiltinOperator_EMBEDDING_LOOKUP_SPARSE, GuardTime::kAfterPrepare, CheckBuckets, {1, 2});
  AddGuard(resolver, BuiltinOperator_GATHER_ND, GuardTime::kAfterPrepare, CheckGathered);
  AddGuard(resolver, BuiltinOperator_GATHER_ND, GuardTime::kBeforeEval, CheckGatheredIndices);
  AddGuard(resolver, BuiltinOperator_L2_POOL_2D, GuardTime::kBeforePrepare, CheckWindow);
  AddGuard(resolver, BuiltinOperator_LOG, GuardTime::kAfterPrepare, CheckScales);
  AddGuard(resolver, BuiltinOperator_LSH_PROJECTION, GuardTime::kAfterPrepare, CheckProjectionTypes);
  AddGuard(resolver, BuiltinOperator_MATRIX_SET_DIAG, GuardTime::kAfterPrepare, CheckDiagonal);
  AddGuard(resolver, BuiltinOperator_MAX_POOL_2D, GuardTime::kBeforePrepare, CheckWindow);
  AddGuard(resolver, BuiltinOperator_MIRROR_PAD, GuardTime::kAfterPrepare, CheckMirror);
  AddGuard(resolver, BuiltinOperator_MIRROR_PAD, GuardTime::kAfterPrepare, CheckSameType);
  AddGuard(resolver, BuiltinOperator_MIRROR_PAD, GuardTime::kBeforeEval, CheckReflections);
  AddGuard(resolver, BuiltinOperator_MUL, GuardTime::kBeforePrepare, CheckFactors);
  AddGuard(resolver, BuiltinOperator_ONE_HOT, GuardTime::kBeforePrepare, CheckDepth, {1});
  AddGuard(resolver, BuiltinOperator_PAD, GuardTime::kInsteadOfEval, EvalPadOfNothing);
  AddGuard(resolver, BuiltinOperator_PAD, GuardTime::kAfterPrepare, CheckPaddings, {1});
  AddGuard(resolver, BuiltinOperator_PADV2, GuardTime::kInsteadOfEval, EvalPadOfNothing);
  AddGuard(resolver, BuiltinOperator_PADV2, GuardTime::kAfterPrepare, CheckPaddings, {1});
  AddGuard(resolver, BuiltinOperator_READ_VARIABLE, GuardTime::kBeforeEval, CheckVariableSize);
  AddGuard(resolver, BuiltinOperator_REDUCE_PROD, GuardTime::kInsteadOfEval, EvalProductOfNothing);
  AddGuard(resolver, BuiltinOperator_RESIZE_BILINEAR, GuardTime::kAfterPrepare, CheckImage);
  AddGuard(resolver, BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, GuardTime::kAfterPrepare, CheckImage);
  AddGuard(resolver, BuiltinOperator_REVERSE_SEQUENCE, GuardTime::kAfterPrepare, CheckLengths);
  AddGuard(resolver, BuiltinOperator_REVERSE_SEQUENCE, GuardTime::kBeforeEval, CheckRowLengths);
  AddGuard(resolver, BuiltinOperator_RFFT2D, GuardTime::kBeforePrepare, CheckFftLengths, {1});
  AddGuard(resolver, BuiltinOperator_RSQRT, GuardTime::kAfterPrepare, CheckScales);
  AddGuard(resolver, BuiltinOperator_SCATTER_ND, GuardTime::kBeforeEval, CheckScatteredIndices);
  AddGuard(resolver, BuiltinOperator_SLICE, GuardTime::kBeforePrepare, CheckSliceOperands);
  AddGuard(resolver, BuiltinOperator_SLICE, GuardTime::kBeforeEval, CheckSlice);
  AddGuard(resolver, BuiltinOperator_SPACE_TO_BATCH_ND, GuardTime::kBeforePrepare, CheckSpaces, {1, 2});
  AddGuard(resolver, BuiltinOperator_SPARSE_TO_DENSE, GuardTime::kBeforeEval, CheckSparseIndices);
  AddGuard(resolver, BuiltinOperator_SQRT, GuardTime::kAfterPrepare, CheckScales);
  AddGuard(resolver, BuiltinOperator_STABLEHLO_GATHER, GuardTime::kAfterPrepare, CheckGatherShapes);
  AddGuard(resolver, BuiltinOperator_STABLEHLO_SCATTER, GuardTime::kAfterPrepare, CheckScatterShapes);
  AddGuard(resolver, BuiltinOperator_STABLEHLO_SHIFT_LEFT, GuardTime::kBeforePrepare, CheckSameShapes);
  AddGuard(resolver, BuiltinOperator_STRIDED_SLICE, GuardTime::kBeforePrepare, CheckStrideCount);
  AddGuard(resolver, BuiltinOperator_SUM, GuardTime::kInsteadOfEval, EvalSumOfNothing);
  AddGuard(resolver, BuiltinOperator_TILE, GuardTime::kBeforePrepare, CheckMultiples, {1});
  AddGuard(resolver, BuiltinOperator_TOPK_V2, GuardTime::kAfterPrepare, CheckIndexRange);
  AddGuard(resolver, BuiltinOperator_TRANSPOSE, GuardTime::kAfterPrepare, CheckPermutation, {1});
  AddGuard(resolver, BuiltinOperator_TRANSPOSE_CONV, GuardTime::kAfterPrepare, CheckImageBefore);
  AddGuard(resolver, BuiltinOperator_UNSORTED_SEGMENT_MAX, GuardTime::kAfterPrepare, CheckSegments);
  AddGuard(resolver, BuiltinOperator_UNSORTED_SEGMENT_MIN, GuardTime::kAfterPrepare, CheckSegments);
  AddGuard(resolver, BuiltinOperator_UNSORTED_SEGMENT_PROD, GuardTime::kAfterPrepare, CheckSegments);
  AddGuard(resolver, BuiltinOperator_UNSORTED_SEGMENT_SUM, GuardTime::kAfterPrepare, CheckSegments);
  AddGuard(resolver, BuiltinOperator_WHILE, GuardTime::kBeforePrepare, CheckBodyInputs);
  AddGuard(resolver, "TFLite_Detection_PostProcess", GuardTime::kAfterPrepare, CheckDetections);
  AddGuard(resolver, "aeq.hadamard_rotation", GuardTime::kAfterPrepare, CheckRotation);
}

const std::vector<std::string_view>& OpsLeftOut() {
  static const std::vector<std::string_view> kNone;
  return kNone;
}

const char* SelectedOps() { return "null"; }

}  // namespace tflite::webnn
