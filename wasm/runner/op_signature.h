#ifndef TFLITE_WEBNN_RUNNER_OP_SIGNATURE_H_
#define TFLITE_WEBNN_RUNNER_OP_SIGNATURE_H_

#include <cstdint>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// The numbers of tensors of an op's nodes. Some kernels, and most delegates, read tensors without checking these.
struct OpSignature {
  int min_inputs;
  int max_inputs;
  int min_outputs;
  int max_outputs;
  // A bit for each input that may be left out (tensor index -1).
  uint64_t optional_inputs;

  bool IsOptional(int input) const { return input < 64 && (optional_inputs >> input) & 1; }
};

// Null for ops that take any number, such as those that call subgraphs. `name` identifies a custom op.
const OpSignature* FindOpSignature(BuiltinOperator op, const char* name);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_OP_SIGNATURE_H_
