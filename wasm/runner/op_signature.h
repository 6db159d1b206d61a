#ifndef TFLITE_WEBNN_RUNNER_OP_SIGNATURE_H_
#define TFLITE_WEBNN_RUNNER_OP_SIGNATURE_H_

#include <cstdint>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// How many tensors a node of an op has. Not every kernel, and hardly any delegate, looks before it reads them.
struct OpSignature {
  int min_inputs;
  int max_inputs;
  int min_outputs;
  int max_outputs;
  // A bit for each input that may be left out (tensor index -1).
  uint64_t optional_inputs;

  bool IsOptional(int input) const { return input < 64 && (optional_inputs >> input) & 1; }
};

// Null for ops that take what they are given, such as those that call subgraphs. `name` tells custom ops apart.
const OpSignature* FindOpSignature(BuiltinOperator op, const char* name);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_OP_SIGNATURE_H_
