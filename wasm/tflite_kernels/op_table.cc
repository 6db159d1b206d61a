#include "tflite_kernels/op_table.h"

#include <cstring>
#include <initializer_list>

namespace tflite::webnn {
namespace {

constexpr uint64_t kAllButFirst = ~uint64_t{1};

constexpr uint64_t Bits(std::initializer_list<int> inputs) {
  uint64_t bits = 0;
  for (const int input : inputs) bits |= uint64_t{1} << input;
  return bits;
}

constexpr OpInfo kOps[] = {
#define OP(name, min_version, max_version, ...) \
  {nullptr, BuiltinOperator_##name, min_version, max_version, {__VA_ARGS__}},
#define CUSTOM_OP(name, registration, ...) {name, BuiltinOperator_CUSTOM, 1, 1, {__VA_ARGS__}},
#include "tflite_kernels/op_table.def"
};

}  // namespace

std::span<const OpInfo> AllOps() { return kOps; }

const OpInfo* FindOpInfo(int builtin_code, const char* custom_name) {
  for (const OpInfo& op : kOps) {
    if (op.builtin_code != builtin_code) continue;
    if (builtin_code != BuiltinOperator_CUSTOM || std::strcmp(op.custom_name, custom_name) == 0) return &op;
  }
  return nullptr;
}

std::optional<WeightInputs> FindWeightInputs(int builtin_code) {
  switch (builtin_code) {
#define WEIGHTS(name, ...)     \
  case BuiltinOperator_##name: \
    return WeightInputs{__VA_ARGS__};
#include "tflite_kernels/op_table.def"
    default:
      return std::nullopt;
  }
}

bool HasTrait(int builtin_code, OpTrait trait) {
  switch (builtin_code) {
#define TRAIT(name, found)     \
  case BuiltinOperator_##name: \
    return trait == OpTrait::found;
#include "tflite_kernels/op_table.def"
    default:
      return false;
  }
}

}  // namespace tflite::webnn
