#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_WEIGHT_UNPACKING_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_WEIGHT_UNPACKING_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

// Content of a tensor. It must outlive the interpreter.
struct UnpackedWeight {
  const void* constant;  // that it is made of
  std::unique_ptr<char[]> content;
  size_t size_bytes;
};

// Subgraphs share equal ones.
using UnpackedWeights = std::vector<UnpackedWeight>;

// Widens the weights of less than 8 bits that a kernel would read as wider ones: to int8 or int4 if it takes these,
// else to float32.
//
// If `may_remove_nodes`, dequantizes the constants of DEQUANTIZE nodes that XNNPACK does not take, those of less than 8
// bits and those that the caller reads, and removes the nodes from the plans. XNNPACK then sees constant float weights;
// it leaves a FULLY_CONNECTED with computed weights to TFLite's kernel, which is ten times slower. Call it before
// XNNPACK's delegate is applied.
UnpackedWeights UnpackWeights(Interpreter& interpreter, bool may_remove_nodes);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_WEIGHT_UNPACKING_H_
