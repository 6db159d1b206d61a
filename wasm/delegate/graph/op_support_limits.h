#ifndef TFLITE_WEBNN_DELEGATE_GRAPH_OP_SUPPORT_LIMITS_H_
#define TFLITE_WEBNN_DELEGATE_GRAPH_OP_SUPPORT_LIMITS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "delegate/graph/data_type.h"
#include "delegate/workarounds/workarounds.h"
#include "support/status.h"

namespace tflite::webnn {

// What one operand of one WebNN operator accepts: MLTensorLimits,
// https://www.w3.org/TR/webnn/#api-mlcontext-opsupportlimits
struct OperandLimits {
  uint32_t data_types = 0;  // one bit per DataType
  int min_rank = 0;
  int max_rank = 0;
  // The bugs because of which max_rank is less than the context promises.
  Workarounds limited_by = {};

  bool Accepts(DataType type) const { return data_types & (1u << static_cast<int>(type)); }
  // "float32, float16"
  std::string DataTypesText() const;
};

// The result of MLContext.opSupportLimits(). JavaScript passes it as text with one line per operand:
// `conv2d.input float32,float16 4 4` (types, smallest and largest rank). Lines without a dot
// (`input`, `constant`, `output`) are the limits of a graph's own operands. Two further lines are
// `maxTensorByteLength N` and `preferredInputLayout nhwc|nchw`. Unknown data types are ignored.
class OpSupportLimits {
 public:
  // Rejects malformed text with a message that quotes the line.
  static StatusOr<OpSupportLimits> Parse(std::string_view text);

  // nullptr if the context lacks the operator, or the operator has no operand of that name.
  const OperandLimits* Find(std::string_view op, std::string_view operand) const;
  // `kind` is "input", "constant" or "output".
  const OperandLimits* FindGraphOperand(std::string_view kind) const;
  bool HasOperator(std::string_view op) const;

  // The bugs to work around. Those about ranks lower what the context promises.
  const Workarounds& workarounds() const { return workarounds_; }
  void WorkAround(Workarounds workarounds);

  uint64_t max_tensor_size_bytes() const { return max_tensor_size_bytes_; }

 private:
  std::map<std::string, OperandLimits, std::less<>> rows_;
  uint64_t max_tensor_size_bytes_ = UINT32_MAX;
  Workarounds workarounds_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_GRAPH_OP_SUPPORT_LIMITS_H_
