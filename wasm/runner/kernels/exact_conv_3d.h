#ifndef TFLITE_WEBNN_RUNNER_KERNELS_EXACT_CONV_3D_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_EXACT_CONV_3D_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's CONV_3D, which computes dilated convolutions by its reference kernel.
//
// The optimized kernel of the pinned version copies as many channels as the input is deep (DilatedIm2col3D in
// im2col_utils.h): with more channels than that its sums read memory that nobody has written.
const TfLiteRegistration* RegisterExactConv3d();
// The versions of the op that it computes.
inline constexpr int kExactConv3dMinVersion = 1;
inline constexpr int kExactConv3dMaxVersion = 1;

// TFLite's CONV_3D_TRANSPOSE, which computes those with padding by its reference kernel.
//
// The optimized kernel of the pinned version takes the padding of the height for that of the depth (Conv3DTranspose in
// optimized_ops.h).
const TfLiteRegistration* RegisterExactConv3dTranspose();
// The versions of the op that it computes.
inline constexpr int kExactConv3dTransposeMinVersion = 1;
inline constexpr int kExactConv3dTransposeMaxVersion = 1;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_EXACT_CONV_3D_H_
