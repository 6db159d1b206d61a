// The identifier that XNNPACK's weight cache compares to tell whether packed weights were written by
// the same build. Upstream's Bazel rule hashes its inputs; here the commit that was compiled is the
// identifier, because nothing else about the kernels can change.
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifndef XNNPACK_COMMIT
#error "XNNPACK_COMMIT is set by wasm/cmake/xnnpack.cmake"
#endif

static const char kIdentifier[] = XNNPACK_COMMIT;

size_t xnn_experimental_get_build_identifier_size(void) { return sizeof(kIdentifier) - 1; }

const void* xnn_experimental_get_build_identifier_data(void) { return kIdentifier; }

bool xnn_experimental_check_build_identifier(const void* data, const size_t size) {
  return size == sizeof(kIdentifier) - 1 && memcmp(data, kIdentifier, size) == 0;
}
