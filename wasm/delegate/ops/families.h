#ifndef TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_
#define TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_

#include "delegate/ops/op_entry.h"

// The op families: each has a file here with its ops' rows and lowerings.
namespace tflite::webnn {

using enum QuantizedMeaning;

extern const OpEntries kActivationOps, kArgMinMaxOps, kArithmeticOps, kBatchMatmulOps, kBucketizeOps, kComparisonOps,
    kConcatenationOps, kConvolutionOps, kDilateOps, kDynamicUpdateSliceOps, kElementwiseOps, kFillOps,
    kFullyConnectedOps, kGatherOps, kLstmOps, kMatrixDiagOps, kNormalizationOps, kOneHotOps, kPackOps, kPaddingOps,
    kPoolingOps, kQuantizeOps, kReductionOps, kReshapeOps, kResizeOps, kReverseSequenceOps, kScatterOps, kSelectOps,
    kSliceOps, kSpaceToDepthOps, kSplitOps, kTileOps, kTopKOps, kTransposeConvolutionOps, kVariableOps;

inline constexpr const OpEntries* kFamilies[] = {&kActivationOps,     &kArgMinMaxOps,
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
                                                 &kVariableOps};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_
