#ifndef TFLITE_WEBNN_SUPPORT_CHECK_H_
#define TFLITE_WEBNN_SUPPORT_CHECK_H_

// WEBNN_DCHECK(condition): a bug of this project's own code if false. Checked in the C++ unit tests
// (wasm/tests/unit), which then abort; in the module it is no code.
#ifdef WEBNN_DCHECK_IS_ON

#include <cstdio>
#include <cstdlib>

namespace tflite::webnn {

[[noreturn]] inline void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: WEBNN_DCHECK(%s) failed\n", file, line, condition);
  std::abort();
}

}  // namespace tflite::webnn

#define WEBNN_DCHECK(...) \
  ((__VA_ARGS__) ? static_cast<void>(0) : ::tflite::webnn::CheckFailed(#__VA_ARGS__, __FILE__, __LINE__))

#else

#define WEBNN_DCHECK(...) static_cast<void>(0)

#endif  // WEBNN_DCHECK_IS_ON

#endif  // TFLITE_WEBNN_SUPPORT_CHECK_H_
