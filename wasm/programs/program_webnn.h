#ifndef TFLITE_WEBNN_PROGRAMS_PROGRAM_WEBNN_H_
#define TFLITE_WEBNN_PROGRAMS_PROGRAM_WEBNN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "delegate/webnn_delegate.h"

namespace tflite::webnn {

// An MLContext on which a program's delegate computes while the program waits.
struct ProgramWebnn {
  // The host's number for it.
  int context;
  TfLiteWebnnHost host;
  // Its limits, for TfLiteWebnnDelegateOptions.
  std::string op_support_limits;
};

// Opens a context with the preferences of TfLiteWebnnDelegateOptions, or returns the one already open with them. The
// host (js/programs/src/program_host.ts) owns it. Empty without WebNN, after printing the reason.
std::optional<ProgramWebnn> OpenWebnn(uint32_t device_preference, uint32_t power_preference);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_PROGRAMS_PROGRAM_WEBNN_H_
