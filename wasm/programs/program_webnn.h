#ifndef TFLITE_WEBNN_PROGRAMS_PROGRAM_WEBNN_H_
#define TFLITE_WEBNN_PROGRAMS_PROGRAM_WEBNN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "delegate/webnn_delegate.h"

namespace tflite::webnn {

// An MLContext that a program's delegate computes on while the program waits.
struct ProgramWebnn {
  // The number by which the host knows it.
  int context;
  TfLiteWebnnHost host;
  // What it supports, for TfLiteWebnnDelegateOptions.
  std::string op_support_limits;
};

// Opens a context with the preferences of TfLiteWebnnDelegateOptions, or gives the one that was opened with the same
// ones: whoever started the program (js/programs/src/program_host.ts) owns it. Nothing where there is no WebNN; the
// reason has been printed.
std::optional<ProgramWebnn> OpenWebnn(uint32_t device_preference, uint32_t power_preference);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_PROGRAMS_PROGRAM_WEBNN_H_
