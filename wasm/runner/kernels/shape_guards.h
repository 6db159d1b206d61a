#ifndef TFLITE_WEBNN_RUNNER_KERNELS_SHAPE_GUARDS_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_SHAPE_GUARDS_H_

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite::webnn {

// Checks shapes and indices that kernels of newer TensorFlow Lite reject and these compute wrong: dimensions of 0, and
// indices of GATHER_ND beyond their own dimension. Pads what has no elements.
void GuardShapes(MutableOpResolver& resolver);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_SHAPE_GUARDS_H_
