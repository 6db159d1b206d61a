#include "delegate/quantization/affine.h"

#include <cmath>

namespace tflite::webnn {
namespace {

bool IsQuantizedType(TfLiteType type) {
  switch (type) {
    case kTfLiteInt2:
    case kTfLiteInt4:
    case kTfLiteInt8:
    case kTfLiteUInt8:
    case kTfLiteInt16:
      return true;
    default:
      return false;
  }
}

bool IsScale(float scale) { return std::isfinite(scale) && scale > 0; }

}  // namespace

bool IsQuantized(const TfLiteTensor& tensor) {
  return tensor.quantization.type != kTfLiteNoQuantization && IsQuantizedType(tensor.type);
}

StatusOr<AffineQuantization> ReadAffineQuantization(const TfLiteTensor& tensor) {
  if (tensor.quantization.type != kTfLiteAffineQuantization) {
    return Unsupported("is quantized in blocks, which the delegate knows only of weights that become float32");
  }
  const auto* params = static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
  if (params == nullptr || params->scale == nullptr || params->scale->size == 0) {
    return Unsupported("is quantized without a scale");
  }
  AffineQuantization result;
  const int count = params->scale->size;
  result.scales.assign(params->scale->data, params->scale->data + count);
  for (float scale : result.scales) {
    if (!IsScale(scale)) {
      return Unsupported("has a scale that is not a positive number");
    }
  }
  result.zero_points.assign(count, 0);
  const TfLiteIntArray* zero_points = params->zero_point;
  const int zero_point_count = zero_points != nullptr ? zero_points->size : 0;
  if (zero_point_count > 1 && zero_point_count != count) {
    return Unsupported("has ", count, " scales and ", zero_point_count, " zero points");
  }
  for (int i = 0; i < count && zero_point_count > 0; ++i) {
    result.zero_points[i] = zero_points->data[zero_point_count == 1 ? 0 : i];
  }
  const IntegerRange range = RangeOf(tensor.type);
  for (int zero_point : result.zero_points) {
    if (zero_point < range.min || zero_point > range.max) {
      return Unsupported("has a zero point that its type cannot hold");
    }
  }
  if (count > 1) {
    const int dimension = params->quantized_dimension;
    if (dimension < 0 || dimension >= tensor.dims->size || tensor.dims->data[dimension] != count) {
      return Unsupported("has ", count, " scales, not one for each index of dimension ", dimension);
    }
    result.dimension = dimension;
  }
  return result;
}

IntegerRange RangeOf(TfLiteType type) {
  switch (type) {
    case kTfLiteInt2:
      return {-2, 1};
    case kTfLiteInt4:
      return {-8, 7};
    case kTfLiteUInt8:
      return {0, 255};
    case kTfLiteInt16:
      return {-32768, 32767};
    default:
      return {-128, 127};
  }
}

bool ImpliesClamp(TfLiteType type, const AffineQuantization& quantization, float min, float max) {
  if (!quantization.per_tensor()) return false;
  const IntegerRange range = RangeOf(type);
  const auto quantize = [&](float real) {
    return quantization.zero_points[0] + std::round(static_cast<double>(real) / quantization.scales[0]);
  };
  return quantize(min) <= range.min && quantize(max) >= range.max;
}

}  // namespace tflite::webnn
