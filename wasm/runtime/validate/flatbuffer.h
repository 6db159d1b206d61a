#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_FLATBUFFER_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_FLATBUFFER_H_

#include <cstddef>
#include <cstdint>

#include "support/status.h"

namespace tflite::webnn {

// Rejects a flatbuffer in which tables, vectors or strings that the model can reach lie outside of its bytes, or which
// names more than kMaxTables tables (budget.h).
Status ValidateFlatbuffer(const uint8_t* buffer, size_t size_bytes);

// Some converters compute a result, and leave its node in the file. To the checks, and to kernels, a tensor with
// content is a constant, which nothing writes: the content that a verified file assigns to results of nodes goes.
void ClearResults(uint8_t* buffer);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_FLATBUFFER_H_
