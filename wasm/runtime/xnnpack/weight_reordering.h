#ifndef TFLITE_WEBNN_RUNTIME_XNNPACK_WEIGHT_REORDERING_H_
#define TFLITE_WEBNN_RUNTIME_XNNPACK_WEIGHT_REORDERING_H_

#include <cstddef>
#include <cstdint>

#include "tensorflow/lite/core/interpreter.h"
#include "xnnpack_kernels/weights_in_place.h"

namespace tflite::webnn {

// Allows XNNPACK to reorder the constants in `file` that are int8 weights of FULLY_CONNECTED with float32 inputs and
// nothing else, in any subgraph.
void AllowReordering(Interpreter& interpreter, uint8_t* file, size_t size_bytes, WeightsInPlace& weights);

// Whether a node that no delegate took reads reordered weights.
bool ReadsReordered(Interpreter& interpreter, const WeightsInPlace& weights);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_XNNPACK_WEIGHT_REORDERING_H_
