#ifndef TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_
#define TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_

#include "delegate/ops/op_row.h"

// The op families: each has a file here with its ops' rows and lowerings.
namespace tflite::webnn {

extern const OpRows kConvolutionOps;
extern const OpRows kTransposeConvolutionOps;
extern const OpRows kFullyConnectedOps;
extern const OpRows kPoolingOps;
extern const OpRows kElementwiseOps;
extern const OpRows kArithmeticOps;
extern const OpRows kActivationOps;
extern const OpRows kReductionOps;
extern const OpRows kReshapeOps;
extern const OpRows kSpaceOps;
extern const OpRows kConcatenationOps;
extern const OpRows kPaddingOps;
extern const OpRows kDilationOps;
extern const OpRows kSliceOps;
extern const OpRows kUpdateSliceOps;
extern const OpRows kResizeOps;
extern const OpRows kLogicOps;
extern const OpRows kIndexingOps;
extern const OpRows kEncodingOps;
extern const OpRows kScatterOps;
extern const OpRows kRepetitionOps;
extern const OpRows kRecurrentOps;
extern const OpRows kMatrixOps;
extern const OpRows kDiagonalOps;
extern const OpRows kNormalizationOps;
extern const OpRows kFoldingOps;

inline constexpr const OpRows* kFamilies[] = {
    &kConvolutionOps,    &kTransposeConvolutionOps,
    &kFullyConnectedOps, &kPoolingOps,
    &kElementwiseOps,    &kArithmeticOps,
    &kActivationOps,     &kReductionOps,
    &kReshapeOps,        &kSpaceOps,
    &kConcatenationOps,  &kPaddingOps,
    &kDilationOps,       &kSliceOps,
    &kUpdateSliceOps,    &kResizeOps,
    &kLogicOps,          &kIndexingOps,
    &kEncodingOps,       &kScatterOps,
    &kRepetitionOps,     &kRecurrentOps,
    &kMatrixOps,         &kDiagonalOps,
    &kNormalizationOps,  &kFoldingOps,
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_FAMILIES_H_
