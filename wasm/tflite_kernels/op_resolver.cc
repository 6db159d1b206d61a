#include "tflite_kernels/op_resolver.h"

#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"
#include "tflite_kernels/custom_kernels.h"
#include "tflite_kernels/guards.h"
#include "third_party/compat/include/selected_ops.h"

namespace tflite::ops::custom {

TfLiteRegistration* Register_AUDIO_SPECTROGRAM();
TfLiteRegistration* Register_DETECTION_POSTPROCESS();
TfLiteRegistration* Register_HADAMARD_ROTATION();
TfLiteRegistration* Register_MFCC();
TfLiteRegistration* Register_NUMERIC_VERIFY();

}  // namespace tflite::ops::custom

namespace tflite::webnn {

// What is not selected is not referred to, so that the linker leaves it out.
void AddOps(MutableOpResolver& resolver) {
#define OP(name, min_version, max_version, ...)                                                             \
  if constexpr (IsSelected(#name)) {                                                                        \
    resolver.AddBuiltin(BuiltinOperator_##name, ops::builtin::Register_##name(), min_version, max_version); \
  }
#define CUSTOM_OP(name, registration, ...) \
  if constexpr (IsSelected(name)) resolver.AddCustom(name, registration());
#define KERNEL(op, types, ...) \
  if constexpr (IsSelected(#op) && types) ReplaceKernel(resolver, BuiltinOperator_##op, __VA_ARGS__);
#define GUARD(op, time, check, ...) \
  if constexpr (IsSelected(#op)) AddGuard(resolver, BuiltinOperator_##op, GuardTime::time, check, {__VA_ARGS__});
#define CUSTOM_GUARD(op, time, check) \
  if constexpr (IsSelected(op)) AddGuard(resolver, op, GuardTime::time, check);
#include "tflite_kernels/op_table.def"
}

bool IsInBuild(std::string_view op) { return IsSelected(op); }

std::string SelectedOps() {
#ifdef SELECTED_OPS
  std::string json = "[\"";
  for (const char c : kSelectedOps) json += c == ' ' ? "\",\"" : std::string(1, c);
  return json + "\"]";
#else
  return "null";
#endif
}

}  // namespace tflite::webnn
