#ifndef TFLITE_WEBNN_COMPAT_WIDE_KERNELS_H_
#define TFLITE_WEBNN_COMPAT_WIDE_KERNELS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "broadcast_elements.h"
#include "tensorflow/lite/kernels/internal/common.h"
#include "tensorflow/lite/kernels/internal/portable_tensor.h"
#include "tensorflow/lite/kernels/internal/reference/select.h"
#include "tensorflow/lite/kernels/internal/reference/strided_slice.h"
#include "tensorflow/lite/kernels/internal/reference/transpose.h"
#include "tensorflow/lite/kernels/internal/runtime_shape.h"
#include "tensorflow/lite/kernels/internal/strided_slice_logic.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/internal/types.h"
#include "tensorflow/lite/kernels/kernel_util.h"

// Kernels for more axes than TFLite's accept, which they call where they can.
namespace tflite::webnn {

// The kernel's masks have a bit for each axis.
constexpr int kMaxAxes = 16;
constexpr int kReferenceAxes = 5;

// TFLite's StridedSliceParams for more axes.
struct WideStridedSliceParams {
  int8_t start_indices_count, stop_indices_count, strides_count;
  int32_t start_indices[kMaxAxes], stop_indices[kMaxAxes], strides[kMaxAxes];
  uint16_t begin_mask, ellipsis_mask, end_mask, new_axis_mask, shrink_axis_mask;
  bool offset;

  // What TFLite's functions read of these axes; they take up to five.
  StridedSliceParams Axes(int first, int count) const {
    StridedSliceParams axes = {};
    axes.start_indices_count = axes.stop_indices_count = axes.strides_count = static_cast<int8_t>(count);
    std::copy_n(start_indices + first, count, axes.start_indices);
    std::copy_n(stop_indices + first, count, axes.stop_indices);
    std::copy_n(strides + first, count, axes.strides);
    axes.begin_mask = begin_mask >> first;
    axes.end_mask = end_mask >> first;
    axes.shrink_axis_mask = shrink_axis_mask >> first;
    axes.offset = offset;
    return axes;
  }

  int Start(const RuntimeShape& shape, int axis) const {
    return strided_slice::StridedSliceStartForAxis(Axes(axis, 1), RuntimeShape({shape.Dims(axis)}), 0);
  }

  int End(const RuntimeShape& shape, int axis, int start) const {
    return strided_slice::StridedSliceEndForAxis(Axes(axis, 1), RuntimeShape({shape.Dims(axis)}), 0, start);
  }

  int Count(const RuntimeShape& shape, int axis, int start) const {
    const int stride = strides[axis];
    return (End(shape, axis, start) - start + stride + (stride > 0 ? -1 : 1)) / stride;
  }

  // Whether the elements of a result of this size are all in the input: lengths and single indices may reach beyond it.
  bool IsInside(const RuntimeShape& shape, int64_t result_size) const {
    int64_t size = 1;
    for (int axis = 0; axis < shape.DimensionsCount(); ++axis) {
      const int start = Start(shape, axis), count = Count(shape, axis, start);
      const int last = start + (count - 1) * strides[axis];
      if (count <= 0 || std::min(start, last) < 0 || std::max(start, last) >= shape.Dims(axis)) return false;
      size *= count;
    }
    return size == result_size;
  }
};

// reference_ops::StridedSlice() for any number of axes.
template <typename T>
void StridedSlice(const WideStridedSliceParams& params, const RuntimeShape& shape, const TfLiteTensor* input,
                  const RuntimeShape& output_shape, TfLiteTensor* output) {
  const int rank = shape.DimensionsCount();
  if (rank <= kReferenceAxes) {
    return reference_ops::StridedSlice<T>(params.Axes(0, rank), shape, input, output_shape, output);
  }
  std::vector<int> steps(rank), counts(rank), position(rank, 0);
  int index = 0;
  for (int axis = rank - 1, size = 1; axis >= 0; size *= shape.Dims(axis--)) {
    const int stride = params.strides[axis];
    const int start = params.Start(shape, axis);
    counts[axis] = params.Count(shape, axis, start);
    if (counts[axis] <= 0) return;
    steps[axis] = stride * size;
    index += start * size;
  }
  SequentialTensorWriter<T> writer(input, output);
  for (int axis = rank; axis >= 0;) {
    writer.Write(index);
    for (axis = rank - 1; axis >= 0; --axis) {
      index += steps[axis];
      if (++position[axis] < counts[axis]) break;
      index -= steps[axis] * counts[axis];
      position[axis] = 0;
    }
  }
}

// reference_ops::Slice() for any number of axes; a size of -1 is the remainder of the axis.
template <typename T>
void Slice(const std::vector<int>& begins, const std::vector<int>& sizes, const TfLiteTensor* input,
           TfLiteTensor* output) {
  WideStridedSliceParams params = {};
  for (size_t axis = 0; axis < begins.size(); ++axis) {
    params.start_indices[axis] = begins[axis];
    params.stop_indices[axis] = begins[axis] + sizes[axis];
    params.strides[axis] = 1;
    if (sizes[axis] < 0) params.end_mask |= 1 << axis;
  }
  StridedSlice<T>(params, GetTensorShape(input), input, GetTensorShape(output), output);
}

// TFLite's TransposeParams for more axes.
struct WideTransposeParams {
  int perm_count;
  int32_t perm[kMaxAxes];
};

// reference_ops::Transpose() for any number of axes; without one, that runs on and on.
template <typename T>
void Transpose(const WideTransposeParams& params, const RuntimeShape& shape, const T* input,
               const RuntimeShape& output_shape, T* output) {
  const int rank = params.perm_count;
  if (rank == 0) {
    *output = *input;
    return;
  }
  reference_ops::transpose_internal::TransposeImpl(0, rank, params.perm, input, BroadcastStrides(shape, rank).data(),
                                                   output, BroadcastStrides(output_shape, rank).data(),
                                                   output_shape.DimsData());
}

// The lowest integer by -1 wraps around.
inline int32_t Quotient(int32_t x, int32_t y) { return y == -1 ? static_cast<int32_t>(0u - x) : x / y; }
inline float Quotient(float x, float y) { return x / y; }

template <typename T>
void Divide(TfLiteFusedActivation activation, const TfLiteTensor* input1, const TfLiteTensor* input2,
            TfLiteTensor* output) {
  T min, max;
  CalculateActivationRange(activation, &min, &max);
  const T *dividends = GetTensorData<T>(input1), *divisors = GetTensorData<T>(input2);
  T* quotients = GetTensorData<T>(output);
  ForEachBroadcastElement(
      GetTensorShape(input1), GetTensorShape(input2), GetTensorShape(output), [&](int out, int in1, int in2) {
        quotients[out] = ActivationFunctionWithMinMax(Quotient(dividends[in1], divisors[in2]), min, max);
      });
}

}  // namespace tflite::webnn

namespace tflite::reference_ops {

template <typename D, typename T>
void BroadcastSelect(const RuntimeShape& condition_shape, const D* condition, const RuntimeShape& x_shape, const T* x,
                     const RuntimeShape& y_shape, const T* y, const RuntimeShape& output_shape, T* output) {
  if (output_shape.DimensionsCount() <= webnn::kReferenceAxes) {
    return BroadcastSelect5DSlow(condition_shape, condition, x_shape, x, y_shape, y, output_shape, output);
  }
  webnn::ForEachBroadcastElement(condition_shape, x_shape, output_shape, [&](int out, int chooser, int chosen) {
    if (condition[chooser]) output[out] = x[chosen];
  });
  webnn::ForEachBroadcastElement(condition_shape, y_shape, output_shape, [&](int out, int chooser, int chosen) {
    if (!condition[chooser]) output[out] = y[chosen];
  });
}

template <typename T, typename Op>
void MaximumMinimumBroadcast(const RuntimeShape& shape1, const T* input1, const RuntimeShape& shape2, const T* input2,
                             const RuntimeShape& output_shape, T* output, Op op) {
  webnn::ForEachBroadcastElement(shape1, shape2, output_shape,
                                 [&](int out, int i, int j) { output[out] = op(input1[i], input2[j]); });
}

}  // namespace tflite::reference_ops

#endif  // TFLITE_WEBNN_COMPAT_WIDE_KERNELS_H_
