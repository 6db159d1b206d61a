#ifndef TFLITE_WEBNN_DELEGATE_QUANTIZATION_QUANTIZED_FORM_H_
#define TFLITE_WEBNN_DELEGATE_QUANTIZATION_QUANTIZED_FORM_H_

#include <cstdint>
#include <string>

namespace tflite::webnn {

// How a quantized node is lowered.
enum class QuantizedForm : uint8_t {
  kNone,   // the node is not quantized
  kFused,  // dequantizeLinear -> op -> quantizeLinear, in the form that engines fuse into an integer kernel
  kFloat,  // computed in float: weights are dequantized once, while the graph is built
  kCpu,    // not expressible in WebNN
};

struct NodeLowering {
  QuantizedForm form = QuantizedForm::kNone;
  // The condition of the fused form that does not hold, for kFloat; empty otherwise.
  std::string condition;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_QUANTIZATION_QUANTIZED_FORM_H_
