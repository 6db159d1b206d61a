#ifndef TFLITE_WEBNN_RUNNER_KERNELS_DILATED_CONV_3D_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_DILATED_CONV_3D_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's CONV_3D, which computes dilated convolutions by its reference kernel.
//
// The optimized kernel of the pinned version copies as many channels as the input is deep (DilatedIm2col3D in
// im2col_utils.h): with more channels than that its sums read memory that nobody has written.
const TfLiteRegistration* RegisterDilatedConv3d();
// The versions of the op that it computes.
inline constexpr int kDilatedConv3dMinVersion = 1;
inline constexpr int kDilatedConv3dMaxVersion = 1;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_DILATED_CONV_3D_H_
