#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "delegate/ops/axis.h"
#include "delegate/patterns/pattern.h"

// Layer normalization over the last axis, as litert-torch and Keras write it:
//   mean = MEAN(x), variance = MEAN(SQUARED_DIFFERENCE(x, mean)), factor = RSQRT(variance + epsilon) [* scale],
//   ADD(x * factor, bias - mean * factor)
// with RESHAPE nodes where MEAN drops the axis.
namespace tflite::webnn {
namespace {

enum Tensor { kX, kEpsilon, kScale, kBias };

bool IsFloat(const TensorView& tensor) { return tensor.type() == kTfLiteFloat32; }

// x's shape with a last axis of size 1.
std::vector<int> RowShape(const TensorView& x) {
  std::vector<int> shape = x.shape();
  shape.back() = 1;
  return shape;
}

// Whether a tensor of this shape is broadcast to one of `full` as if it had all of its axes: it lacks only leading ones
// of size 1.
bool IsLike(const std::vector<int>& shape, const std::vector<int>& full) {
  if (shape.size() > full.size()) return false;
  const size_t dropped = full.size() - shape.size();
  return std::equal(shape.begin(), shape.end(), full.begin() + dropped) &&
         std::all_of(full.begin(), full.begin() + dropped, [](int size) { return size == 1; });
}

int64_t Count(const std::vector<int>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// Whether MEAN reduces the last axis, and no other of a size above 1.
bool ReducesRows(const OpView& mean) {
  const TensorView x = mean.input(0);
  bool reduces_last = false;
  for (int axis : mean.input(1).ConstantInts()) {
    axis = NormalizeAxis(axis, x.rank());
    if (axis < 0 || axis >= x.rank()) return false;
    reduces_last |= axis == x.rank() - 1;
    if (axis != x.rank() - 1 && x.dim(axis) != 1) return false;
  }
  return reduces_last;
}

bool IsConstantRow(const TensorView& tensor, int size) {
  return tensor.IsConstant() && IsFloat(tensor) && tensor.rank() == 1 && tensor.dim(0) == size;
}

bool IsUnfused(TfLiteFusedActivation activation) { return activation == kTfLiteActNone; }

class Matcher {
 public:
  Matcher(const OpView& last, NodeGroup& group) : last_(last), group_(group) {}

  std::optional<PatternTensors> Match() {
    if (!IsUnfused(last_.params<TfLiteAddParams>().activation)) return std::nullopt;
    const auto scaled = Product(last_.input(0));
    const auto shift = Difference(last_.input(1));
    if (!scaled || !shift) return std::nullopt;
    const TensorView x = scaled->input(0);
    if (!IsFloat(x) || x.rank() < 1 || !MatchBias(shift->input(0), x)) return std::nullopt;
    if (last_.input(0).shape() != x.shape() || last_.output(0).shape() != x.shape()) return std::nullopt;
    const auto moved = Product(shift->input(1));  // mean * factor, in either order
    if (!moved) return std::nullopt;
    const TensorView factor = group_.BeforeReshapes(scaled->input(1));
    for (int i : {0, 1}) {
      if (group_.BeforeReshapes(moved->input(i)).index() != factor.index()) continue;
      const TensorView mean = group_.BeforeReshapes(moved->input(1 - i));
      const bool matches =
          MatchFactor(factor, scaled->input(1), x) && MatchStatistics(x, mean) && IsShiftOfRows(*shift, *moved, i, x);
      return matches ? std::optional(tensors_) : std::nullopt;
    }
    return std::nullopt;
  }

 private:
  std::optional<OpView> Product(const TensorView& tensor) {
    const auto op = group_.Writer(group_.BeforeReshapes(tensor), kTfLiteBuiltinMul);
    return op && IsUnfused(op->params<TfLiteMulParams>().activation) ? op : std::nullopt;
  }

  std::optional<OpView> Difference(const TensorView& tensor) {
    const auto op = group_.Writer(group_.BeforeReshapes(tensor), kTfLiteBuiltinSub);
    return op && IsUnfused(op->params<TfLiteSubParams>().activation) ? op : std::nullopt;
  }

  // A row of constants, or the number 0.
  bool MatchBias(const TensorView& bias, const TensorView& x) {
    if (IsConstantRow(bias, x.dim(-1))) {
      tensors_[kBias] = bias.index();
      return true;
    }
    const std::vector<float> values = bias.ConstantFloats();
    return values == std::vector<float>{0.0f};
  }

  // RSQRT(variance + epsilon), perhaps times a row of constants. `used` is what x is multiplied by.
  bool MatchFactor(TensorView factor, const TensorView& used, const TensorView& x) {
    if (const auto product = group_.Writer(factor, kTfLiteBuiltinMul)) {
      if (!IsUnfused(product->params<TfLiteMulParams>().activation)) return false;
      if (!IsConstantRow(product->input(1), x.dim(-1)) || used.shape() != x.shape()) return false;
      tensors_[kScale] = product->input(1).index();
      if (product->input(0).shape() != RowShape(x)) return false;
      factor = group_.BeforeReshapes(product->input(0));
    } else if (used.shape() != RowShape(x)) {
      return false;
    }
    const auto root = group_.Writer(factor, kTfLiteBuiltinRsqrt);
    if (!root) return false;
    const auto sum = group_.Writer(group_.BeforeReshapes(root->input(0)), kTfLiteBuiltinAdd);
    if (!sum || !IsUnfused(sum->params<TfLiteAddParams>().activation)) return false;
    if (sum->input(1).ConstantFloats().size() != 1) return false;
    tensors_[kEpsilon] = sum->input(1).index();
    const auto variance = group_.Writer(group_.BeforeReshapes(sum->input(0)), kTfLiteBuiltinMean);
    if (!variance || !ReducesRows(*variance)) return false;
    const auto squares = group_.Writer(variance->input(0), kTfLiteBuiltinSquaredDifference);
    if (!squares || squares->input(0).index() != x.index() || squares->input(1).shape() != RowShape(x)) return false;
    subtracted_ = group_.BeforeReshapes(squares->input(1)).index();
    return true;
  }

  // Whether bias - mean * factor has, for each element of x, the numbers of its row. Tensors with a number for each row
  // are in the same order whatever their axes, unless axes are broadcast.
  bool IsShiftOfRows(const OpView& shift, const OpView& moved, int factor_operand, const TensorView& x) const {
    const std::vector<int> full = x.shape();
    const std::vector<int> rows = RowShape(x);
    const std::vector<int> product = moved.output(0).shape();
    const std::vector<int> subtracted = shift.input(1).shape();
    if (tensors_[kScale] >= 0) {
      const bool fits = IsLike(moved.input(factor_operand).shape(), full) &&
                        IsLike(moved.input(1 - factor_operand).shape(), rows) && IsLike(subtracted, full);
      return fits && IsLike(last_.input(1).shape(), full);
    }
    if (Count(product) != Count(rows)) return false;
    if (tensors_[kBias] >= 0) return IsLike(subtracted, rows) && IsLike(last_.input(1).shape(), full);
    return Count(shift.output(0).shape()) == Count(rows) && IsLike(last_.input(1).shape(), rows);
  }

  // The same mean for the variance and for the shift.
  bool MatchStatistics(const TensorView& x, const TensorView& mean) {
    const auto op = group_.Writer(mean, kTfLiteBuiltinMean);
    tensors_[kX] = x.index();
    return op && op->input(0).index() == x.index() && ReducesRows(*op) && mean.index() == subtracted_;
  }

  const OpView& last_;
  NodeGroup& group_;
  PatternTensors tensors_ = {-1, -1, -1, -1};
  int subtracted_ = -1;
};

std::optional<PatternTensors> Match(const GraphView&, const OpView& last, NodeGroup& group) {
  return Matcher(last, group).Match();
}

Operand Lower(const PatternTensors& tensors, const GraphView& view, const OpView&, GraphBuilder& builder) {
  const Operand x = builder.Tensor(view.tensor(tensors[kX]));
  const int axis = builder.descriptor(x).rank() - 1;
  const float epsilon = view.tensor(tensors[kEpsilon]).ConstantFloats()[0];
  std::vector<Option> options;
  if (tensors[kScale] >= 0) options.push_back({"scale", builder.Tensor(view.tensor(tensors[kScale]))});
  if (tensors[kBias] >= 0) options.push_back({"bias", builder.Tensor(view.tensor(tensors[kBias]))});
  options.push_back({"axes", std::vector<int>{axis}});
  options.push_back({"epsilon", epsilon});
  return builder.Unary("layerNormalization", x, std::move(options));
}

}  // namespace

constinit const PatternEntry kLayerNormalization = {
    "layer normalization",
    kTfLiteBuiltinAdd,
    Match,
    Lower,
    "MEAN, SQUARED_DIFFERENCE, MEAN, ADD, RSQRT, MUL, MUL, SUB, ADD over the last axis, in float32",
    "layerNormalization",
};

}  // namespace tflite::webnn
