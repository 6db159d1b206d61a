#ifndef TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_
#define TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_

#include "delegate/ops/op_row.h"

// The op families: each has a file here with its ops' rows and lowerings.
namespace tflite::webnn {

extern const OpRows kActivationOps;
extern const OpRows kArgMinMaxOps;
extern const OpRows kArithmeticOps;
extern const OpRows kBatchMatmulOps;
extern const OpRows kBucketizeOps;
extern const OpRows kComparisonOps;
extern const OpRows kConcatenationOps;
extern const OpRows kConvolutionOps;
extern const OpRows kDilateOps;
extern const OpRows kDynamicUpdateSliceOps;
extern const OpRows kElementwiseOps;
extern const OpRows kFillOps;
extern const OpRows kFullyConnectedOps;
extern const OpRows kGatherOps;
extern const OpRows kLstmOps;
extern const OpRows kMatrixDiagOps;
extern const OpRows kNormalizationOps;
extern const OpRows kOneHotOps;
extern const OpRows kPackOps;
extern const OpRows kPaddingOps;
extern const OpRows kPoolingOps;
extern const OpRows kQuantizeOps;
extern const OpRows kReductionOps;
extern const OpRows kReshapeOps;
extern const OpRows kResizeOps;
extern const OpRows kReverseSequenceOps;
extern const OpRows kScatterOps;
extern const OpRows kSelectOps;
extern const OpRows kSliceOps;
extern const OpRows kSpaceToDepthOps;
extern const OpRows kSplitOps;
extern const OpRows kTileOps;
extern const OpRows kTopKOps;
extern const OpRows kTransposeConvolutionOps;
extern const OpRows kVariableOps;

inline constexpr const OpRows* kFamilies[] = {
    &kActivationOps,     &kArgMinMaxOps,
    &kArithmeticOps,     &kBatchMatmulOps,
    &kBucketizeOps,      &kComparisonOps,
    &kConcatenationOps,  &kConvolutionOps,
    &kDilateOps,         &kDynamicUpdateSliceOps,
    &kElementwiseOps,    &kFillOps,
    &kFullyConnectedOps, &kGatherOps,
    &kLstmOps,           &kMatrixDiagOps,
    &kNormalizationOps,  &kOneHotOps,
    &kPackOps,           &kPaddingOps,
    &kPoolingOps,        &kQuantizeOps,
    &kReductionOps,      &kReshapeOps,
    &kResizeOps,         &kReverseSequenceOps,
    &kScatterOps,        &kSelectOps,
    &kSliceOps,          &kSpaceToDepthOps,
    &kSplitOps,          &kTileOps,
    &kTopKOps,           &kTransposeConvolutionOps,
    &kVariableOps,
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_
