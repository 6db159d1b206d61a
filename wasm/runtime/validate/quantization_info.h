#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_QUANTIZATION_INFO_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_QUANTIZATION_INFO_H_

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "runtime/validate/node_info.h"

namespace tflite::webnn {

inline bool IsQuantized8(const Tensor* tensor) {
  return tensor != nullptr && (tensor->type() == TensorType_INT8 || tensor->type() == TensorType_UINT8);
}

inline bool IsInt16(const Tensor* tensor) { return tensor != nullptr && tensor->type() == TensorType_INT16; }

inline bool IsInteger(const Tensor* tensor) { return IsQuantized8(tensor) || IsInt16(tensor); }

inline bool IsBlockwise(const Tensor* tensor) {
  const QuantizationParameters* parameters = tensor ? tensor->quantization() : nullptr;
  return parameters != nullptr && parameters->details_type() == QuantizationDetails_BlockwiseQuantization;
}

inline int64_t ScaleCount(const Tensor* tensor) {
  const QuantizationParameters* parameters = tensor ? tensor->quantization() : nullptr;
  return parameters == nullptr || IsBlockwise(tensor) ? 0 : SizeOf(parameters->scale());
}

// TfLiteTensor::quantization.type != kTfLiteNoQuantization. Kernels read int16 without it as plain integers.
inline bool HasQuantization(const Tensor* tensor) { return IsBlockwise(tensor) || ScaleCount(tensor) > 0; }

inline float ScaleAt(const Tensor* tensor, int64_t index) { return tensor->quantization()->scale()->Get(index); }

// TfLiteTensor::params.scale: 0 unless there is exactly one.
inline float ScaleOf(const Tensor* tensor) { return ScaleCount(tensor) == 1 ? ScaleAt(tensor, 0) : 0; }

// The first scale, for kernels that read only that; NaN without one, which they reject.
inline float FirstScale(const Tensor* tensor) {
  return ScaleCount(tensor) > 0 ? ScaleAt(tensor, 0) : std::numeric_limits<float>::quiet_NaN();
}

inline std::string ScaleText(float scale) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", scale);
  return text;
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_QUANTIZATION_INFO_H_
