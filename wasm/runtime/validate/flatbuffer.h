#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_FLATBUFFER_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_FLATBUFFER_H_

#include <cstddef>
#include <cstdint>
#include <map>

#include "support/status.h"

namespace tflite::webnn {

// Rejects a flatbuffer in which tables, vectors or strings that the model can reach lie outside of its bytes, or are
// more than a file of its size may have (budget.h), each counted as often as it is named.
Status ValidateFlatbuffer(const uint8_t* buffer, size_t size_bytes);

// Some converters compute a result, and leave its node in the file. To the checks, and to kernels, a tensor with
// content is a constant, which nothing writes: the content that a verified file gives to results of nodes goes.
void ForgetResults(uint8_t* buffer);

// Leaves those of `contents`, bytes of a whole flatbuffer by starts and ends, that are one vector of it and share no
// byte with its other parts. They must not overlap.
void KeepUnshared(const uint8_t* buffer, size_t size_bytes, std::map<size_t, size_t>& contents);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_FLATBUFFER_H_
