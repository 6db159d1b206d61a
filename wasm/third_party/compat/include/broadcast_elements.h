#ifndef TFLITE_WEBNN_COMPAT_BROADCAST_ELEMENTS_H_
#define TFLITE_WEBNN_COMPAT_BROADCAST_ELEMENTS_H_

#include <cstddef>
#include <vector>

#include "tensorflow/lite/kernels/internal/runtime_shape.h"

namespace tflite::webnn {

// Steps in elements along each of `rank` dimensions; 0 where the shape has one element, which serves all.
inline std::vector<int> BroadcastStrides(const RuntimeShape& shape, int rank) {
  std::vector<int> strides(rank, 0);
  const int missing = rank - shape.DimensionsCount();
  for (int i = shape.DimensionsCount() - 1, stride = 1; i >= 0; --i) {
    if (shape.Dims(i) != 1) strides[missing + i] = stride;
    stride *= shape.Dims(i);
  }
  return strides;
}

struct BroadcastAxis {
  int size, step1, step2;
};

// The axes of two broadcast shapes of any rank, the innermost first. Neighbors along which both inputs step alike are
// one axis, so that the first one is long; its steps are 0 or 1.
inline std::vector<BroadcastAxis> BroadcastAxes(const RuntimeShape& shape1, const RuntimeShape& shape2,
                                                const RuntimeShape& output_shape) {
  const int rank = output_shape.DimensionsCount();
  const std::vector<int> steps1 = BroadcastStrides(shape1, rank), steps2 = BroadcastStrides(shape2, rank);
  std::vector<BroadcastAxis> axes;
  for (int i = rank - 1; i >= 0; --i) {
    const int size = output_shape.Dims(i);
    if (size == 1) continue;
    if (!axes.empty()) {
      BroadcastAxis& inner = axes.back();
      if (steps1[i] == inner.size * inner.step1 && steps2[i] == inner.size * inner.step2) {
        inner.size *= size;
        continue;
      }
    }
    axes.push_back({size, steps1[i], steps2[i]});
  }
  if (axes.empty()) axes.push_back({1, 0, 0});
  return axes;
}

// Output elements that follow one another: the first one's indices, and the steps of the inputs, 0 or 1.
struct BroadcastRow {
  int output, input1, input2;
  int count, step1, step2;
};

// Calls visit(context, row) for all rows of two broadcast shapes of any rank. One function for all kernels.
[[gnu::noinline]] inline void VisitBroadcastRows(const RuntimeShape& shape1, const RuntimeShape& shape2,
                                                 const RuntimeShape& output_shape,
                                                 void (*visit)(void* context, const BroadcastRow& row), void* context) {
  const int count = output_shape.FlatSize();
  if (count == 0) return;
  const std::vector<BroadcastAxis> axes = BroadcastAxes(shape1, shape2, output_shape);
  std::vector<int> position(axes.size(), 0);
  const auto [size, step1, step2] = axes[0];
  for (int i = 0, index1 = 0, index2 = 0; i < count; i += size) {
    visit(context, BroadcastRow{i, index1, index2, size, step1, step2});
    for (size_t axis = 1; axis < axes.size(); ++axis) {
      index1 += axes[axis].step1;
      index2 += axes[axis].step2;
      if (++position[axis] < axes[axis].size) break;
      index1 -= axes[axis].step1 * position[axis];
      index2 -= axes[axis].step2 * position[axis];
      position[axis] = 0;
    }
  }
}

// The same with visit(row).
template <typename Visit>
void ForEachBroadcastRow(const RuntimeShape& shape1, const RuntimeShape& shape2, const RuntimeShape& output_shape,
                         Visit visit) {
  VisitBroadcastRows(
      shape1, shape2, output_shape,
      [](void* context, const BroadcastRow& row) { (*static_cast<Visit*>(context))(row); }, &visit);
}

// Calls visit(output index, index of input 1, index of input 2) for each element of two broadcast shapes of any rank.
template <typename Visit>
void ForEachBroadcastElement(const RuntimeShape& shape1, const RuntimeShape& shape2, const RuntimeShape& output_shape,
                             Visit visit) {
  ForEachBroadcastRow(shape1, shape2, output_shape, [&visit](const BroadcastRow& row) {
    int index1 = row.input1, index2 = row.input2;
    for (int i = 0; i < row.count; ++i, index1 += row.step1, index2 += row.step2) visit(row.output + i, index1, index2);
  });
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_BROADCAST_ELEMENTS_H_
