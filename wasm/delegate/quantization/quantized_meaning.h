#ifndef TFLITE_WEBNN_DELEGATE_QUANTIZATION_QUANTIZED_MEANING_H_
#define TFLITE_WEBNN_DELEGATE_QUANTIZATION_QUANTIZED_MEANING_H_

#include <cstdint>

namespace tflite::webnn {

// What TFLite's kernels take the integers of a quantized tensor for.
enum class QuantizedMeaning : uint8_t {
  kUnknown,  // the op has no quantized kernel
  kReal,     // real numbers: computed with scale and zero point
  kCopied,   // nothing: they are moved or compared as they are
  kInteger,  // plain integers
};

QuantizedMeaning MeaningOfQuantized(int builtin_code);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_QUANTIZATION_QUANTIZED_MEANING_H_
