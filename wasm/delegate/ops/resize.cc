#include <algorithm>
#include <cmath>
#include <vector>

#include "delegate/ops/families.h"

namespace tflite::webnn {
namespace {

// How TFLite maps output positions to input positions.
struct Sampling {
  bool align_corners;
  bool half_pixel_centers;
  bool in_1024ths = false;  // integers, as TFLite's int16 kernel counts positions and scale

  float Scale(int input_size, int output_size) const {
    return align_corners && output_size > 1 ? (input_size - 1) / static_cast<float>(output_size - 1)
                                            : input_size / static_cast<float>(output_size);
  }

  float Position(int i, int input_size, int output_size) const {
    const float scale = Scale(input_size, output_size);
    if (!in_1024ths) return half_pixel_centers ? (i + 0.5f) * scale - 0.5f : i * scale;
    const int64_t step = std::lround(1024.0 * scale);
    return static_cast<float>(i * step + (half_pixel_centers ? step / 2 - 512 : 0)) / 1024;
  }
};

// Checks the input and the size for both resizes; false after a rejection.
bool ReadResize(const OpView& op, GraphBuilder& builder) {
  if (op.input(0).rank() != 4 || op.output(0).rank() != 4) {
    builder.Reject("input must have rank 4");
    return false;
  }
  if (!op.input(1).IsConstant()) {
    builder.Reject("the new size must be a constant");
    return false;
  }
  return true;
}

Operand Resample2d(const OpView& op, Operand input, const char* mode, GraphBuilder& builder) {
  const std::vector<int> sizes = {op.output(0).dim(1), op.output(0).dim(2)};
  return builder.Emit(
      {"resample2d", {{"input", input}}, {}, {{"mode", mode}, {"sizes", sizes}, {"axes", std::vector<int>{1, 2}}}},
      {builder.descriptor(input).data_type, op.output(0).shape()});
}

// Between which input positions each output position lies, as in TFLite's ComputeInterpolationValues.
struct Interpolation {
  std::vector<int32_t> lower;
  std::vector<int32_t> upper;
  std::vector<float> fraction;  // of the way from lower to upper
};

Interpolation InterpolationOf(const Sampling& sampling, int input_size, int output_size) {
  Interpolation result;
  for (int i = 0; i < output_size; ++i) {
    const float position = sampling.Position(i, input_size, output_size);
    const int lower = std::clamp(static_cast<int>(std::floor(position)), 0, input_size - 1);
    const int upper = std::clamp(static_cast<int>(std::ceil(position)), 0, input_size - 1);
    result.lower.push_back(lower);
    result.upper.push_back(upper);
    result.fraction.push_back(lower == upper ? 0.0f : position - lower);
  }
  return result;
}

Operand ResizeAxis(Operand input, const Interpolation& interpolation, int axis, GraphBuilder& builder) {
  const auto& [lower, upper, fraction] = interpolation;
  const Operand low = builder.Gather(input, lower, axis);
  if (lower == upper) return low;
  std::vector<int> shape(4, 1);
  shape[axis] = static_cast<int>(fraction.size());
  const Operand step = builder.Binary("sub", builder.Gather(input, upper, axis), low);
  return builder.Binary("add", low, builder.Binary("mul", step, builder.Constant(shape, fraction)));
}

// resample2d has half-pixel centers only, and real positions. A bilinear resize is separable: the width first, as
// XNNPACK does it. A product with a constant matrix takes up to four times as long, and spreads NaN over rows.
Operand ResizeByGathers(const OpView& op, Operand input, const Sampling& sampling, GraphBuilder& builder) {
  for (int axis : {2, 1}) {
    const int input_size = op.input(0).dim(axis);
    const int output_size = op.output(0).dim(axis);
    if (!builder.CanMake(output_size)) return Operand();
    if (input_size != output_size) {
      input = ResizeAxis(input, InterpolationOf(sampling, input_size, output_size), axis, builder);
    }
  }
  return input;
}

// As in TFLite's GetNearestNeighbor.
std::vector<int32_t> NearestIndices(const Sampling& sampling, int input_size, int output_size) {
  const float scale = sampling.Scale(input_size, output_size);
  const float offset = sampling.half_pixel_centers ? 0.5f : 0.0f;
  std::vector<int32_t> indices(output_size);
  for (int i = 0; i < output_size; ++i) {
    const float position = (i + offset) * scale;
    const int nearest = static_cast<int>(sampling.align_corners ? std::round(position) : std::floor(position));
    indices[i] = std::clamp(nearest, 0, input_size - 1);
  }
  return indices;
}

// The pixels that WebNN's definition of resample2d picks. On a tie it picks the first, TFLite's kernel the second.
std::vector<int32_t> FirstNearestIndices(int input_size, int output_size) {
  std::vector<int32_t> indices(output_size);
  for (int64_t i = 0; i < output_size; ++i) {
    // ceil(x - 0.5) of x = (i + 0.5) * input_size / output_size - 0.5, in integers
    const int64_t doubled = (2 * i + 1) * input_size;
    const int64_t nearest = (doubled + 2 * int64_t{output_size} - 1) / (2 * int64_t{output_size}) - 1;
    indices[i] = static_cast<int32_t>(std::clamp<int64_t>(nearest, 0, input_size - 1));
  }
  return indices;
}

Operand LowerResizeBilinear(const OpView& op, GraphBuilder& builder) {
  if (!ReadResize(op, builder)) return Operand();
  const auto& params = op.params<TfLiteResizeBilinearParams>();
  const Sampling sampling{params.align_corners, params.half_pixel_centers, op.output(0).type() == kTfLiteInt16};
  const Operand input = builder.Tensor(op.input(0));
  const bool is_resample2d = sampling.half_pixel_centers && !sampling.align_corners && !sampling.in_1024ths;
  return is_resample2d ? Resample2d(op, input, "linear", builder) : ResizeByGathers(op, input, sampling, builder);
}

// resample2d if all samplings and engines pick the same pixels (integer factors); otherwise, and for integers, which
// some engines cannot resample, two gathers.
Operand LowerResizeNearestNeighbor(const OpView& op, GraphBuilder& builder) {
  if (!ReadResize(op, builder)) return Operand();
  const auto& params = op.params<TfLiteResizeNearestNeighborParams>();
  const Sampling sampling{params.align_corners, params.half_pixel_centers};
  const Sampling resample2d_sampling{false, true};
  Operand result = builder.Tensor(op.input(0));
  bool is_resample2d = builder.descriptor(result).data_type == DataType::kFloat32;
  bool is_kernel = true;  // whether a browser that uses TFLite's kernel picks these pixels, too
  std::vector<int32_t> indices[2];
  for (int axis : {1, 2}) {
    const int input_size = op.input(0).dim(axis);
    const int output_size = op.output(0).dim(axis);
    if (!builder.CanMake(output_size)) return Operand();
    indices[axis - 1] = NearestIndices(sampling, input_size, output_size);
    is_resample2d &= indices[axis - 1] == FirstNearestIndices(input_size, output_size);
    is_kernel &= indices[axis - 1] == NearestIndices(resample2d_sampling, input_size, output_size);
  }
  is_resample2d = is_resample2d && (is_kernel || !builder.WorksAround(Workaround::kResample2dTies));
  if (is_resample2d) {
    result = Resample2d(op, result, "nearest-neighbor", builder);
  } else {
    for (int axis : {1, 2}) result = builder.Gather(result, indices[axis - 1], axis);
  }
  return result;
}

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinResizeBilinear, LowerResizeBilinear, kCopied,
     "resample2d; gather, sub, mul, add (int16, other than half-pixel)", "size not constant"},
    {kTfLiteBuiltinResizeNearestNeighbor, LowerResizeNearestNeighbor, kCopied, "resample2d; gather",
     "size not constant"},
};

}  // namespace

constinit const OpEntries kResizeOps = kEntries;

}  // namespace tflite::webnn
