#ifndef TFLITE_WEBNN_QUANTIZE_FLOATS_H_
#define TFLITE_WEBNN_QUANTIZE_FLOATS_H_

#include <cstdint>

namespace tflite::webnn {

// The activations of TFLite's hybrid kernels as int8 from -127 to 127: value = scaling_factor * integer.
void SymmetricQuantizeFloats(const float* values, int size, int8_t* quantized_values, float min_value, float max_value,
                             float* scaling_factor);

// The same from -128 to 127, with a zero point: value = scaling_factor * (integer - offset).
void AsymmetricQuantizeFloats(const float* values, int size, int8_t* quantized_values, float* scaling_factor,
                              int32_t* offset);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_QUANTIZE_FLOATS_H_
