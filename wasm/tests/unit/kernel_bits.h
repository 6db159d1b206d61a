#ifndef TFLITE_WEBNN_TESTS_UNIT_KERNEL_BITS_H_
#define TFLITE_WEBNN_TESTS_UNIT_KERNEL_BITS_H_

#include <cstring>
#include <limits>
#include <vector>

#include "tensorflow/lite/core/c/common.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {

// Numbers at the ends of a type, NaN included.
template <typename T>
std::vector<T> EdgesOf() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0), T(1), T(3), Limits::lowest(), Limits::max()};
  if constexpr (Limits::has_infinity) {
    values.insert(values.end(), {-0.0f, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()});
  }
  return values;
}

// Fills a tensor of the main subgraph, whose memory is allocated, with these values again and again.
template <typename T>
void Fill(LoadedModel& model, int tensor, const std::vector<T>& values) {
  TfLiteTensor& filled = *model.graph().tensor(tensor);
  for (size_t i = 0; i < filled.bytes / sizeof(T); ++i) {
    const T value = values[i % values.size()];
    std::memcpy(filled.data.raw + i * sizeof(T), &value, sizeof(T));
  }
}

// Expects the kernel of node 0, which must not be TFLite's, to write TFLite's bits. The inputs are filled.
void ExpectBitsOfTflite(LoadedModel& model, const TfLiteRegistration& tflite);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TESTS_UNIT_KERNEL_BITS_H_
