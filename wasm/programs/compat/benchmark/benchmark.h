// Replaces Google's benchmark library, which one of TFLite's kernel tests includes but does not use.
#ifndef TFLITE_WEBNN_PROGRAMS_COMPAT_BENCHMARK_BENCHMARK_H_
#define TFLITE_WEBNN_PROGRAMS_COMPAT_BENCHMARK_BENCHMARK_H_
#endif  // TFLITE_WEBNN_PROGRAMS_COMPAT_BENCHMARK_BENCHMARK_H_
