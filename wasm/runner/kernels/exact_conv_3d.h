#ifndef TFLITE_WEBNN_RUNNER_KERNELS_EXACT_CONV_3D_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_EXACT_CONV_3D_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's CONV_3D with its reference kernel for dilated convolutions.
//
// The optimized kernel of the pinned version copies as many channels as the input's depth (DilatedIm2col3D in
// im2col_utils.h): with more channels its sums read uninitialized memory.
const TfLiteRegistration* RegisterExactConv3d();
// The versions of the op that it computes.
inline constexpr int kExactConv3dMinVersion = 1;
inline constexpr int kExactConv3dMaxVersion = 1;

// TFLite's CONV_3D_TRANSPOSE with its reference kernel if there is padding.
//
// The optimized kernel of the pinned version uses the height's padding for the depth (Conv3DTranspose in
// optimized_ops.h).
const TfLiteRegistration* RegisterExactConv3dTranspose();
// The versions of the op that it computes.
inline constexpr int kExactConv3dTransposeMinVersion = 1;
inline constexpr int kExactConv3dTransposeMaxVersion = 1;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_EXACT_CONV_3D_H_
