#ifndef TFLITE_WEBNN_RUNNER_KERNELS_ASYMMETRIC_QUANTIZE_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_ASYMMETRIC_QUANTIZE_H_

#include <cstdint>

namespace tflite::webnn {

// How integers stand for floats: (integer - zero_point) * scale.
struct AsymmetricScale {
  float scale;
  int32_t zero_point;
};

// Writes floats as the int8 steps of their own range, as TFLite's hybrid kernels do with activations.
//
// The bits are those of TFLite's NeonAsymmetricQuantizeFloats(), which native TFLite runs on x86 too. What TFLite
// itself has for WebAssembly rounds other values differently.
AsymmetricScale AsymmetricQuantize(const float* values, int size, int8_t* quantized);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_ASYMMETRIC_QUANTIZE_H_
