#include <wasm_simd128.h>

#include <cstdint>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tflite_kernels/broadcast_vectors.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// Wraps around.
template <typename T>
struct Product {
  static v128_t Of(const Vector<T>& x, const Vector<T>& y) { return reinterpret_cast<v128_t>(x * y); }
  static T Of(T x, T y) { return x * y; }
};

struct ParametricRelu {
  static v128_t Of(const Vector<float>& x, const Vector<float>& slope) {
    const v128_t values = reinterpret_cast<v128_t>(x);
    const v128_t is_kept = wasm_f32x4_ge(values, wasm_f32x4_const_splat(0));
    return wasm_v128_bitselect(values, reinterpret_cast<v128_t>(x * slope), is_kept);
  }
  static float Of(float x, float slope) { return x >= 0 ? x : x * slope; }
};

template <typename Operation, typename T>
void ComputeRow(const BroadcastRow& row, const char* input1, const char* input2, char* output) {
  constexpr int kLanesOfVector = kVectorElements / sizeof(T);
  const RowOperand x(reinterpret_cast<const T*>(input1) + row.input1, row.step1);
  const RowOperand y(reinterpret_cast<const T*>(input2) + row.input2, row.step2);
  T* to = reinterpret_cast<T*>(output) + row.output;
  int i = 0;
  for (; i + kLanesOfVector <= row.count; i += kLanesOfVector) {
    wasm_v128_store(to + i, Operation::Of(LoadVector(x.At(i)), LoadVector(y.At(i))));
  }
  for (; i < row.count; ++i) to[i] = Operation::Of(*x.At(i), *y.At(i));
}

RowFunction* ProductOf(TfLiteType type) {
  switch (type) {
    case kTfLiteInt32:
    case kTfLiteUInt32:
      return ComputeRow<Product<uint32_t>, uint32_t>;
    case kTfLiteInt64:
      return ComputeRow<Product<uint64_t>, uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

// MUL of integers without a scale, and PRELU of floats: TFLite steps through broadcast tensors by element.
TfLiteStatus EvalBroadcastMul(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input1 = GetInput(context, node, 0);
  const TfLiteTensor* input2 = GetInput(context, node, 1);
  TfLiteTensor* output = GetOutput(context, node, 0);
  RowFunction* function = ProductOf(output->type);
  const bool has_limits = static_cast<const TfLiteMulParams*>(node->builtin_data)->activation != kTfLiteActNone;
  // The product of constants is there already.
  const bool is_constant = IsConstantOrPersistentTensor(input1) && IsConstantOrPersistentTensor(input2);
  if (function == nullptr || has_limits || is_constant || IsDynamicTensor(output)) {
    return ops::builtin::Register_MUL()->invoke(context, node);
  }
  return ComputeRows(function, input1, input2, output);
}

TfLiteStatus EvalPrelu(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  if (input->type != kTfLiteFloat32) return ops::builtin::Register_PRELU()->invoke(context, node);
  return ComputeRows(ComputeRow<ParametricRelu, float>, input, GetInput(context, node, 1), GetOutput(context, node, 0));
}

}  // namespace tflite::webnn
