#include "xnnpack_kernels/dot_product.h"

#include "src/xnnpack/hardware-config.h"

namespace tflite::webnn {

DotProduct AcceptedDotProduct() {
#if XNN_ARCH_WASMRELAXEDSIMD
  const xnn_hardware_config* config = xnn_init_hardware_config();
  if (config->arch_flags & xnn_arch_wasm_sdot) return DotProduct::kSigned;
  if (config->arch_flags & xnn_arch_wasm_usdot) return DotProduct::kUnsigned;
#endif
  return DotProduct::kNone;
}

const char* NameOf(DotProduct dot_product) {
  switch (dot_product) {
    case DotProduct::kNone:
      return "none";
    case DotProduct::kSigned:
      return "signed";
    case DotProduct::kUnsigned:
      return "unsigned";
  }
}

}  // namespace tflite::webnn
