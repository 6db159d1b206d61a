#ifndef TFLITE_WEBNN_RUNNER_FLATBUFFER_CHECK_H_
#define TFLITE_WEBNN_RUNNER_FLATBUFFER_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <map>

namespace tflite::webnn {

// Whether all tables, vectors and strings that a model's flatbuffer can reach lie in its bytes.
bool IsWholeFlatbuffer(const uint8_t* buffer, size_t size_bytes);

// Leaves those of `contents`, bytes of a whole flatbuffer by starts and ends, that are one vector of it and share no
// byte with its other parts. They must not overlap.
void KeepUnshared(const uint8_t* buffer, size_t size_bytes, std::map<size_t, size_t>& contents);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_FLATBUFFER_CHECK_H_
