#ifndef TFLITE_WEBNN_COMPAT_BROADCAST_ELEMENTS_H_
#define TFLITE_WEBNN_COMPAT_BROADCAST_ELEMENTS_H_

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

// Calls visit(output index, index of input 1, index of input 2) for each element of two broadcast shapes of any rank.
template <typename Visit>
void ForEachBroadcastElement(const RuntimeShape& shape1, const RuntimeShape& shape2, const RuntimeShape& output_shape,
                             Visit visit) {
  const int rank = output_shape.DimensionsCount();
  const std::vector<int> strides1 = BroadcastStrides(shape1, rank);
  const std::vector<int> strides2 = BroadcastStrides(shape2, rank);
  std::vector<int> position(rank, 0);
  const int count = output_shape.FlatSize();
  for (int i = 0, index1 = 0, index2 = 0; i < count; ++i) {
    visit(i, index1, index2);
    for (int axis = rank - 1; axis >= 0; --axis) {
      index1 += strides1[axis];
      index2 += strides2[axis];
      if (++position[axis] < output_shape.Dims(axis)) break;
      index1 -= strides1[axis] * position[axis];
      index2 -= strides2[axis] * position[axis];
      position[axis] = 0;
    }
  }
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_BROADCAST_ELEMENTS_H_
