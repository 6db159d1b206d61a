#ifndef TFLITE_WEBNN_PROGRAMS_COMPAT_TSL_PLATFORM_LOGGING_H_
#define TFLITE_WEBNN_PROGRAMS_COMPAT_TSL_PLATFORM_LOGGING_H_

// TensorFlow's header wraps Abseil's logging and adds types that this project does not use.
#include "absl/log/check.h"
#include "absl/log/log.h"

#endif  // TFLITE_WEBNN_PROGRAMS_COMPAT_TSL_PLATFORM_LOGGING_H_
