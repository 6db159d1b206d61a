// Included before XNNPACK's src/configs in a module for certain models. Each function xnn_init_<name>_config() returns
// NULL, which XNNPACK reports as unsupported, unless tensors of SELECTED_TYPES (names with spaces between) can need it:
// the compiler and the linker then leave out its microkernels.
#include <stdbool.h>
#include <string.h>

#include "src/xnnpack/init-once.h"

#define HAS(part) (strstr(config, "_" part "_") != NULL)
#define TYPE(name) (strstr(types, " " name " ") != NULL)

// By the element types in the name. Other parts, such as x32 and xx of kernels that only move data, are always kept.
__attribute__((always_inline)) static inline bool IsNeeded(const char* config, const char* types) {
  if (strcmp(types, "  ") == 0) return true;
  const bool has_narrow_weights = TYPE("INT4") || TYPE("INT2");
  // Half precision, or for Arm only.
  if (HAS("bf16") || HAS("pf16") || HAS("pf32") || HAS("qp8") || HAS("pqs8")) return false;
  if (HAS("f32") && !TYPE("FLOAT32") && !TYPE("FLOAT16")) return false;
  if (HAS("f16") && !TYPE("FLOAT16")) return false;
  if ((HAS("qs8") || HAS("s8") || HAS("qc8w")) && !TYPE("INT8")) return false;
  if ((HAS("qu8") || HAS("u8")) && !TYPE("UINT8")) return false;
  if ((HAS("qc4w") || HAS("qb4w")) && !TYPE("INT4")) return false;
  if (HAS("qc2w") && !TYPE("INT2")) return false;
  // Only the weights are integers: inputs are quantized at run time.
  return !(HAS("qd8") || HAS("qdu8")) || (TYPE("FLOAT32") && (TYPE("INT8") || has_narrow_weights));
}

#undef XNN_INIT_ONCE
#define XNN_INIT_ONCE(name)                                          \
  if (!IsNeeded("_" #name "_", " " SELECTED_TYPES " ")) return NULL; \
  pthread_once(&name##_guard, &init_##name##_config)
