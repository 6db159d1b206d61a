#ifndef TFLITE_WEBNN_TFLITE_KERNELS_OP_TABLE_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_OP_TABLE_H_

#include <cstdint>
#include <optional>
#include <span>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

inline constexpr uint8_t kAny = 255;  // no upper limit

struct TensorCount {
  uint8_t min;
  uint8_t max;

  bool Allows(int count) const { return count >= min && (count <= max || max == kAny); }
};

// The numbers of tensors of an op's nodes. Some kernels, and most delegates, read tensors without checking these.
struct OpSignature {
  TensorCount inputs;
  TensorCount outputs;
  // A bit for each input that may be left out (tensor index -1).
  uint64_t optional_inputs = 0;

  bool IsOptional(int input) const { return input < 64 && (optional_inputs >> input) & 1; }
};

// An op of op_table.def.
struct OpInfo {
  const char* custom_name;  // null for builtin ops
  uint8_t builtin_code;
  uint8_t min_version;
  uint8_t max_version;
  OpSignature signature;
};

// The inputs of an op that multiplies data with weights.
struct WeightInputs {
  int data;
  int weights;
  int bias;
};

// What rewrites, XNNPACK's exclusions and the cost rule need to know of an op.
enum class OpTrait : uint8_t {
  kCaller,          // its kernel runs other subgraphs
  kHashtable,       // reads or writes a hash table
  kTranscendental,  // computes a function that takes many instructions for each element
  kVariable,        // names, reads or writes a variable
};

std::span<const OpInfo> AllOps();

// Null if there is no kernel. The name identifies an op with the code CUSTOM.
const OpInfo* FindOpInfo(int builtin_code, const char* custom_name);

std::optional<WeightInputs> FindWeightInputs(int builtin_code);
bool HasTrait(int builtin_code, OpTrait trait);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_OP_TABLE_H_
