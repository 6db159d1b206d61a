#ifndef TFLITE_WEBNN_SUPPORT_ELEMENTS_H_
#define TFLITE_WEBNN_SUPPORT_ELEMENTS_H_

#include <cstdint>
#include <cstring>

namespace tflite::webnn {

// The i-th element of bytes that need not be aligned to its type, such as a file's constants.
template <typename T>
T ElementAt(const void* bytes, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(bytes) + i * sizeof(T), sizeof(T));
  return value;
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_SUPPORT_ELEMENTS_H_
