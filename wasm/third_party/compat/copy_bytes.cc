// memcpy() of TFLite's kernels, which are compiled with -fno-builtin-memcpy: LLVM would make each call, and each loop
// that copies, an instruction memory.copy, which engines call a function for that takes longer than to copy few bytes.
#include <wasm_simd128.h>

#include <cstddef>

namespace {

constexpr size_t kVectorSize = 16;
// From here on memory.copy is faster.
constexpr size_t kMinLargeSize = 128;

}  // namespace

// Weak: AddressSanitizer has another.
extern "C" __attribute__((weak)) void* memcpy(void* to, const void* from, size_t size) {
  if (size >= kMinLargeSize) return __builtin_memcpy(to, from, size);
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  if (size >= kVectorSize) {
    // The last vector overlaps the one before, to be a full one.
    const size_t last = size - kVectorSize;
    const v128_t end = wasm_v128_load(source + last);
    for (size_t i = 0; i < last; i += kVectorSize) wasm_v128_store(target + i, wasm_v128_load(source + i));
    wasm_v128_store(target + last, end);
    return to;
  }
  if (size >= 8) {
    const v128_t begin = wasm_v128_load64_zero(source), end = wasm_v128_load64_zero(source + size - 8);
    wasm_v128_store64_lane(target, begin, 0);
    wasm_v128_store64_lane(target + size - 8, end, 0);
    return to;
  }
  if (size >= 4) {
    const v128_t begin = wasm_v128_load32_zero(source), end = wasm_v128_load32_zero(source + size - 4);
    wasm_v128_store32_lane(target, begin, 0);
    wasm_v128_store32_lane(target + size - 4, end, 0);
    return to;
  }
  for (size_t i = 0; i < size; ++i) target[i] = source[i];
  return to;
}
