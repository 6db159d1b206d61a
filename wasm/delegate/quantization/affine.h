#ifndef TFLITE_WEBNN_DELEGATE_QUANTIZATION_AFFINE_H_
#define TFLITE_WEBNN_DELEGATE_QUANTIZATION_AFFINE_H_

#include <vector>

#include "delegate/graph/data_type.h"
#include "support/status.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// real = scale * (quantized - zero point), https://ai.google.dev/edge/litert/models/quantization_spec
struct AffineQuantization {
  std::vector<float> scales;     // one, or one for each index of `dimension`
  std::vector<int> zero_points;  // as many as scales
  int dimension = 0;             // 0 where there is one scale

  bool per_tensor() const { return scales.size() == 1; }
  bool operator==(const AffineQuantization&) const = default;
};

// An operand of a WebNN graph that holds quantized values.
struct AffineOperand {
  DataType type;
  AffineQuantization quantization;

  bool operator==(const AffineOperand&) const = default;
};

// Whether the tensor's integers stand for real numbers. TFLite's kernels read int32 and int64 as plain
// integers and ignore their scale; biases have the scale of the accumulators.
bool IsQuantized(const TfLiteTensor& tensor);

// Rejects parameters that do not fit the tensor: no scale, a number of scales other than the dimension's size, a scale
// that is not a positive number.
StatusOr<AffineQuantization> ReadAffineQuantization(const TfLiteTensor& tensor);

// The smallest and the largest integer of a quantized type.
struct IntegerRange {
  int min;
  int max;
};
IntegerRange RangeOf(TfLiteType type);

// Whether clamping to [min, max] changes nothing, because no integer of the type stands for a real number
// outside. Rounds the bounds as TFLite does (CalculateActivationRangeQuantized).
bool ImpliesClamp(TfLiteType type, const AffineQuantization& quantization, float min, float max);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_QUANTIZATION_AFFINE_H_
