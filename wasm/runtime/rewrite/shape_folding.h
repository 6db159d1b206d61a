#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_SHAPE_FOLDING_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_SHAPE_FOLDING_H_

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite::webnn {

// Makes the registered kernels of ops that compute shapes do so while the graph is prepared, if all inputs are known by
// then, and makes TRANSPOSE_CONV and SLICE take shapes that are known so.
//
// Converters write models with an open batch as SHAPE, SLICE or STRIDED_SLICE, arithmetic, CONCATENATION or PACK,
// RESHAPE. TFLite's kernels fold only some of these, and one that does not makes the remainder of the model dynamic,
// although its inputs have fixed shapes: delegates that need static shapes then fail.
void FoldShapes(MutableOpResolver& resolver);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_SHAPE_FOLDING_H_
