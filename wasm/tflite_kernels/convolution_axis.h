#ifndef TFLITE_WEBNN_TFLITE_KERNELS_CONVOLUTION_AXIS_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_CONVOLUTION_AXIS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/check.h"
#include "tensorflow/lite/kernels/cpu_backend_context.h"
#include "tensorflow/lite/kernels/cpu_backend_threadpool.h"

namespace tflite::webnn {

// One dimension of a convolution: depth, height or width.
struct ConvolutionAxis {
  int input_size;
  int filter_size;
  int output_size;
  int stride;
  int dilation;
  int64_t padding;
};

inline ConvolutionAxis AxisOf(int input_size, int filter_size, int output_size, int stride, int dilation) {
  const int64_t reach = int64_t{filter_size - 1} * dilation + 1;
  const int64_t padding = (int64_t{output_size - 1} * stride + reach - input_size) / 2;
  return {input_size, filter_size, output_size, stride, dilation, std::max<int64_t>(padding, 0)};
}

// The taps of the filter inside of the input, along one dimension.
struct Taps {
  int begin;
  int count;
  int input_begin;
};

inline Taps TapsAt(int output_index, const ConvolutionAxis& axis) {
  const int64_t origin = int64_t{output_index} * axis.stride - axis.padding;
  const int64_t round_up = axis.dilation - 1;
  const int64_t begin = std::max<int64_t>(0, (round_up - origin) / axis.dilation);
  const int64_t end = std::min<int64_t>(axis.filter_size, (axis.input_size - origin + round_up) / axis.dilation);
  if (end <= begin) return {0, 0, 0};
  WEBNN_DCHECK(origin + begin * axis.dilation >= 0 && origin + (end - 1) * axis.dilation < axis.input_size);
  return {static_cast<int>(begin), static_cast<int>(end - begin), static_cast<int>(origin + begin * axis.dilation)};
}

// Calls compute(begin, end) for parts of the output's rows, each in a thread.
template <typename Compute>
void ComputeOutputRows(int64_t rows, int64_t products_of_row, CpuBackendContext* cpu, Compute compute) {
  struct Task : cpu_backend_threadpool::Task {
    Task(const Compute& compute, int64_t begin, int64_t end) : compute(compute), begin(begin), end(end) {}
    void Run() override { compute(begin, end); }

    const Compute& compute;
    int64_t begin;
    int64_t end;
  };
  // Minimum work for another thread.
  constexpr int64_t kMinProductsPerThread = 1 << 17;
  const int64_t worthwhile = std::min(rows, rows * products_of_row / kMinProductsPerThread);
  const int threads = static_cast<int>(std::min<int64_t>(cpu->max_num_threads(), worthwhile));
  if (threads <= 1) return compute(0, rows);
  std::vector<Task> tasks;
  tasks.reserve(threads);
  for (int i = 0; i < threads; ++i) tasks.emplace_back(compute, rows * i / threads, rows * (i + 1) / threads);
  cpu_backend_threadpool::Execute(threads, tasks.data(), cpu);
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_CONVOLUTION_AXIS_H_
