#ifndef TFLITE_WEBNN_RUNNER_KERNELS_FOLDING_PACK_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_FOLDING_PACK_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// TFLite's PACK, but it packs while the graph is prepared if all inputs are known by then.
//
// Converters write reshapes to a computed shape as SHAPE, STRIDED_SLICE, PACK, RESHAPE. TFLite folds
// all of these but PACK, so PACK makes the rest of the model dynamic, and delegates that need static
// shapes fail.
const TfLiteRegistration* RegisterFoldingPack();
// The versions of the op that it computes.
inline constexpr int kFoldingPackMinVersion = 1;
inline constexpr int kFoldingPackMaxVersion = 4;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_FOLDING_PACK_H_
