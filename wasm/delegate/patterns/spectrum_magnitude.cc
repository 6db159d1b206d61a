#include <cmath>
#include <vector>

#include "delegate/patterns/pattern.h"

// The magnitudes of a spectrum: RFFT2D of rows, RESHAPE, COMPLEX_ABS. WebNN has no complex numbers, but two products
// with constant matrices compute both parts of one.
namespace tflite::webnn {
namespace {

// A product takes time by the square of it: beyond this, a Fourier transform on the CPU is faster.
constexpr int kMaxSamples = 1024;

std::optional<PatternTensors> Match(const GraphView&, const OpView& last, NodeGroup& group) {
  const auto transform = group.Writer(group.BeforeReshapes(last.input(0)), kTfLiteBuiltinRfft2d);
  if (!transform || last.output(0).type() != kTfLiteFloat32) return std::nullopt;
  const TensorView input = transform->input(0);
  const std::vector<int> lengths = transform->input(1).ConstantInts();
  const bool is_of_rows = input.rank() >= 2 && lengths == std::vector<int>{1, input.dim(-1)} && input.dim(-2) == 1;
  if (!is_of_rows || input.dim(-1) > kMaxSamples) return std::nullopt;
  return PatternTensors{input.index()};
}

Operand Lower(const PatternTensors& tensors, const GraphView& view, const OpView& last, GraphBuilder& builder) {
  const Operand input = builder.Tensor(view.tensor(tensors[0]));
  if (builder.rejected()) return Operand();
  const int samples = builder.shape(input).back();
  const int rows = static_cast<int>(builder.descriptor(input).element_count()) / samples;
  const int frequencies = samples / 2 + 1;
  std::vector<float> cosines, sines;  // [frequencies, samples]
  for (int frequency = 0; frequency < frequencies; ++frequency) {
    for (int sample = 0; sample < samples; ++sample) {
      // Reduced to one turn first, where double keeps the angle exact enough.
      const double angle = 2 * M_PI * (frequency * sample % samples) / samples;
      cosines.push_back(static_cast<float>(std::cos(angle)));
      sines.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  const Operand frames = builder.Reshape(input, {rows, samples});
  const auto squares = [&](const std::vector<float>& matrix) {
    const Operand weights = builder.Constant({frequencies, samples}, matrix);
    const Operand part = builder.Emit({"gemm", {{"a", frames}, {"b", weights}}, {}, {{"bTranspose", true}}},
                                      {DataType::kFloat32, {rows, frequencies}});
    return builder.Binary("mul", part, part);
  };
  const Operand sum = builder.Binary("add", squares(cosines), squares(sines));
  return builder.Reshape(builder.Unary("sqrt", sum), last.output(0).shape());
}

}  // namespace

constinit const PatternEntry kSpectrumMagnitude = {
    "spectrum magnitude",
    kTfLiteBuiltinComplexAbs,
    Match,
    Lower,
    "RFFT2D of rows of at most 1024 samples, RESHAPE, COMPLEX_ABS",
    "gemm, mul, add, sqrt",
};

}  // namespace tflite::webnn
