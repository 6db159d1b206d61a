#ifndef TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_BATCH_MATMUL_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_BATCH_MATMUL_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's BATCH_MATMUL, with SIMD for int8 and for int16: the attention of quantized transformers, whose second matrix
// has a zero point, for which XNNPACK has no kernel. It gives the same bits.
const TfLiteRegistration* RegisterIntegerBatchMatmul();
// The versions of the op that it computes.
inline constexpr int kIntegerBatchMatmulMinVersion = 1;
inline constexpr int kIntegerBatchMatmulMaxVersion = 4;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_INTEGER_BATCH_MATMUL_H_
