#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"
#include "tflite_kernels/integer_products.h"
#include "tflite_kernels/integer_scales.h"

namespace tflite::webnn {
namespace {

const TfLiteRegistration& BatchMatmul() { return *ops::builtin::Register_BATCH_MATMUL(); }

// One of the two factors: matrices [rows, depth], or [depth, rows] if adjoint.
struct Factor {
  const TfLiteTensor* tensor;
  bool is_adjoint;

  int rank() const { return tensor->dims->size; }
  int last(int i) const { return tensor->dims->data[rank() - 1 - i]; }
};

// The first element of the factor's matrix for the output's matrix `index`, which broadcasting may share.
size_t MatrixBegin(const Factor& factor, const TfLiteTensor& output, size_t index) {
  const int rank = output.dims->size;
  size_t begin = 0, step = static_cast<size_t>(factor.last(0)) * factor.last(1);
  for (int axis = rank - 3; axis >= 0; --axis) {
    const size_t at = index % output.dims->data[axis];
    index /= output.dims->data[axis];
    const int own_axis = axis - (rank - factor.rank());
    const int size = own_axis < 0 ? 1 : factor.tensor->dims->data[own_axis];
    if (size > 1) begin += at * step;
    step *= size;
  }
  return begin;
}

// The rows of the first factor.
template <typename T>
IntegerRows RowsOf(const Factor& a, size_t begin) {
  const int count = a.last(a.is_adjoint ? 0 : 1);
  const int depth = a.last(a.is_adjoint ? 1 : 0);
  IntegerRows rows(count, depth);
  rows.Fill(GetTensorData<T>(a.tensor) + begin, depth, a.is_adjoint ? 1 : depth, a.is_adjoint ? count : 1,
            a.tensor->params.zero_point);
  return rows;
}

// The columns of the second one.
template <typename T>
IntegerColumns ColumnsOf(const Factor& b, size_t begin) {
  const int count = b.last(b.is_adjoint ? 1 : 0);
  const int depth = b.last(b.is_adjoint ? 0 : 1);
  IntegerColumns columns(count, depth);
  columns.Fill(GetTensorData<T>(b.tensor) + begin, b.is_adjoint ? depth : 1, b.is_adjoint ? 1 : count,
               b.tensor->params.zero_point);
  return columns;
}

template <typename T, typename Scale>
void Multiply(const Factor& a, const Factor& b, const Scale& scale, TfLiteTensor* output) {
  const size_t matrix_size = static_cast<size_t>(a.last(a.is_adjoint ? 0 : 1)) * b.last(b.is_adjoint ? 1 : 0);
  const size_t count = matrix_size == 0 ? 0 : NumElements(output) / matrix_size;
  for (size_t index = 0; index < count; ++index) {
    const IntegerRows left = RowsOf<T>(a, MatrixBegin(a, *output, index));
    IntegerColumns right = ColumnsOf<T>(b, MatrixBegin(b, *output, index));
    if (sizeof(T) > 1) right.Widen(left);
    MultiplyRows(left, right, scale, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                 GetTensorData<T>(output) + index * matrix_size);
  }
}

// False for numbers that only TFLite's kernel computes.
bool EvalWithSimd(const Factor& a, const Factor& b, double scale, TfLiteTensor* output) {
  int32_t multiplier;
  int shift;
  QuantizeMultiplier(scale, &multiplier, &shift);
  if (output->type == kTfLiteInt8) {
    const Multiplier narrow(multiplier, shift);
    if (!narrow.is_regular()) return false;
    Multiply<int8_t>(a, b, NarrowScale(narrow, output->params.zero_point), output);
    return true;
  }
  const int columns = b.last(b.is_adjoint ? 1 : 0);
  WideScales wide(columns, /*rounds_up=*/true);
  for (int j = 0; j < columns; ++j) {
    if (!wide.SetFactor(j, multiplier, shift)) return false;
  }
  if (output->params.zero_point != 0) return false;
  Multiply<int16_t>(a, b, wide, output);
  return true;
}

}  // namespace

// BATCH_MATMUL of int8 and int16: the attention of quantized transformers, whose second matrix has a zero point, for
// which XNNPACK has no kernel.
TfLiteStatus EvalIntegerBatchMatmul(TfLiteContext* context, TfLiteNode* node) {
  const auto& params = *static_cast<const TfLiteBatchMatMulParams*>(node->builtin_data);
  const Factor a{GetInput(context, node, 0), params.adj_x};
  const Factor b{GetInput(context, node, 1), params.adj_y};
  TfLiteTensor* output = GetOutput(context, node, 0);
  const TfLiteType type = a.tensor->type;
  const bool is_one_type = b.tensor->type == type && output->type == type;
  if (!is_one_type || (type != kTfLiteInt8 && type != kTfLiteInt16)) return BatchMatmul().invoke(context, node);
  if (IsDynamicTensor(output)) return BatchMatmul().invoke(context, node);
  double multiplier = 0;
  TF_LITE_ENSURE_OK(context, GetQuantizedConvolutionMultipler(context, a.tensor, b.tensor, output, &multiplier));
  const bool is_done = EvalWithSimd(a, b, multiplier, output);
  return is_done ? kTfLiteOk : BatchMatmul().invoke(context, node);
}

}  // namespace tflite::webnn
