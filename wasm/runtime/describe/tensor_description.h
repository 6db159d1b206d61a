#ifndef TFLITE_WEBNN_RUNTIME_DESCRIBE_TENSOR_DESCRIPTION_H_
#define TFLITE_WEBNN_RUNTIME_DESCRIBE_TENSOR_DESCRIPTION_H_

#include <span>
#include <vector>

#include "runtime/execute/session.h"
#include "support/json_writer.h"

namespace tflite::webnn {

// The elements of a TfLiteIntArray or a TfLiteFloatArray; none of a null one.
template <typename Array>
auto ElementsOf(const Array* array) {
  return array ? std::span(&array->data[0], array->size)
               : std::span(static_cast<decltype(&array->data[0])>(nullptr), 0);
}

// Begins an object with a tensor's index, name, dtype, shape, size and quantization, in the format of TensorInfo
// in js/packages/core/src/description.ts. The caller may add keys and must end it.
void BeginTensor(JsonWriter& json, const TfLiteTensor& tensor, int index);

// A key with the list of these tensors.
void WriteTensors(JsonWriter& json, const char* key, const Session& session, const std::vector<int>& indices,
                  int subgraph_index);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_DESCRIBE_TENSOR_DESCRIPTION_H_
