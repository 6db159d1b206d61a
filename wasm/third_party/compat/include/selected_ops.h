#ifndef TFLITE_WEBNN_SELECTED_OPS_H_
#define TFLITE_WEBNN_SELECTED_OPS_H_

#include <initializer_list>
#include <string_view>

#include "tensorflow/lite/schema/schema_generated.h"

// What this module has of the ops in tflite_kernels/op_table.def: all, or those that SELECTED_OPS names, for tensors of
// the types that SELECTED_TYPES names; no types are all types. Names have spaces between.
namespace tflite::webnn {

constexpr bool HasName(std::string_view names, std::string_view name) {
  for (size_t at = names.find(name); at != names.npos; at = names.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' ')) return true;
  }
  return false;
}

#ifdef SELECTED_OPS
inline constexpr std::string_view kSelectedOps = SELECTED_OPS, kSelectedTypes = SELECTED_TYPES;

constexpr bool IsSelected(std::string_view op) { return HasName(kSelectedOps, op); }

// Whether a tensor may have one of these types.
constexpr bool Types(std::initializer_list<std::string_view> types) {
  bool found = kSelectedTypes.empty();
  for (std::string_view type : types) found |= HasName(kSelectedTypes, type);
  return found;
}

// The op's number, or -1 if the module does not have it. XNNPACK's delegate switches over this: the compiler leaves out
// the other cases, and the linker what only they call.
[[gnu::always_inline]] constexpr int SelectedOp(int builtin_code) {
  switch (builtin_code) {
#define OP(name, ...)                                                      \
  case BuiltinOperator_##name: {                                           \
    constexpr int kCode = IsSelected(#name) ? BuiltinOperator_##name : -1; \
    return kCode;                                                          \
  }
#include "tflite_kernels/op_table.def"
    case BuiltinOperator_CUSTOM: {
#define CUSTOM_OP(name, ...) IsSelected(name) ||
      constexpr bool kIsSelected =
#include "tflite_kernels/op_table.def"
          false;
      return kIsSelected ? BuiltinOperator_CUSTOM : -1;
    }
    default:
      return -1;
  }
}
#else
constexpr bool IsSelected(std::string_view op) { return true; }
constexpr bool Types(std::initializer_list<std::string_view> types) { return true; }
constexpr int SelectedOp(int builtin_code) { return builtin_code; }
#endif

inline constexpr bool kAnyType = true;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_SELECTED_OPS_H_
