#ifndef TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_CORE_PLATFORM_LOGGING_H_
#define TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_CORE_PLATFORM_LOGGING_H_

// TensorFlow's header of this name is Abseil's logging, with types of TensorFlow that nothing here uses.
#include "absl/log/check.h"
#include "absl/log/log.h"

#endif  // TFLITE_WEBNN_PROGRAMS_COMPAT_TENSORFLOW_CORE_PLATFORM_LOGGING_H_
