#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_COLLECTING_REPORTER_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_COLLECTING_REPORTER_H_

#include <cstdarg>
#include <string>
#include <utility>

#include "support/status.h"
#include "tensorflow/lite/core/api/error_reporter.h"

namespace tflite::webnn {

// Collects the error messages that TFLite reports.
class CollectingReporter : public ErrorReporter {
 public:
  int Report(const char* format, va_list args) override;
  std::string Take() { return std::exchange(text_, ""); }
  // An error: what these parts say, and the messages since the last one.
  template <typename... Parts>
  [[gnu::always_inline]] Status Fail(const char* code, const Parts&... parts) {
    return AddReported(Error(code, parts...));
  }

 private:
  Status AddReported(Status error);

  std::string text_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_COLLECTING_REPORTER_H_
