#include <wasm_simd128.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

constexpr int kLanesOfVector = 4;

// NaN is never better, and any number is better than NaN.
bool IsBetter(float value, float best) { return value == value && !(best >= value); }

// The first of the greatest of `size` numbers, one in every `step`, each times `sign`.
int BestOf(const float* values, int size, ptrdiff_t step, float sign) {
  int best = 0;
  float best_value = sign * *values;
  for (int i = 1; i < size; ++i) {
    const float value = sign * values[i * step];
    if (!IsBetter(value, best_value)) continue;
    best = i;
    best_value = value;
  }
  return best;
}

// Four searches at a time.
class Searches {
 public:
  Searches(v128_t values, v128_t indices) : values_(values), indices_(indices) {}

  void Add(v128_t values, v128_t indices) {
    const v128_t is_better = wasm_v128_andnot(wasm_f32x4_eq(values, values), wasm_f32x4_ge(values_, values));
    values_ = wasm_v128_bitselect(values, values_, is_better);
    indices_ = wasm_v128_bitselect(indices, indices_, is_better);
  }

  v128_t indices() const { return indices_; }

  // The first of the best of all four.
  int Best() const {
    float values[kLanesOfVector];
    int32_t indices[kLanesOfVector];
    wasm_v128_store(values, values_);
    wasm_v128_store(indices, indices_);
    int best = 0;
#pragma clang loop unroll(disable)
    for (int i = 1; i < kLanesOfVector; ++i) {
      const bool is_earlier = indices[i] < indices[best] && !IsBetter(values[best], values[i]);
      if (is_earlier || IsBetter(values[i], values[best])) best = i;
    }
    return indices[best];
  }

 private:
  v128_t values_, indices_;
};

v128_t FourFrom(int first) { return wasm_i32x4_add(wasm_i32x4_splat(first), wasm_i32x4_const(0, 1, 2, 3)); }

// Of the numbers times `sign`. The last vector of a row, and of neighboring searches, may overlap the one before it.
void SearchAll(const float* values, int64_t outer, int size, int64_t inner, float sign, int32_t* indices) {
  const auto load = [sign](const float* from) { return wasm_f32x4_mul(wasm_v128_load(from), wasm_f32x4_splat(sign)); };
  for (int64_t i = 0; i < outer; ++i, values += size * inner, indices += inner) {
    if (inner == 1 && size >= 2 * kLanesOfVector) {
      Searches searches(load(values), FourFrom(0));
      for (int next = kLanesOfVector; next < size; next += kLanesOfVector) {
        const int first = std::min(next, size - kLanesOfVector);
        searches.Add(load(values + first), FourFrom(first));
      }
      *indices = searches.Best();
    } else if (inner < kLanesOfVector) {
      for (int64_t j = 0; j < inner; ++j) indices[j] = BestOf(values + j, size, inner, sign);
    } else {
      for (int64_t next = 0; next < inner; next += kLanesOfVector) {
        const int64_t first = std::min(next, inner - kLanesOfVector);
        Searches searches(load(values + first), wasm_i32x4_const_splat(0));
        for (int j = 1; j < size; ++j) searches.Add(load(values + j * inner + first), wasm_i32x4_splat(j));
        wasm_v128_store(indices + first, searches.indices());
      }
    }
  }
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node, const TfLiteRegistration& kernel, float sign) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  const TfLiteTensor* dimension = GetInput(context, node, 1);
  TfLiteTensor* output = GetOutput(context, node, 0);
  // TFLite's kernel also resizes the output.
  const bool is_float = input->type == kTfLiteFloat32;
  if (!is_float || IsDynamicTensor(output)) TF_LITE_ENSURE_STATUS(kernel.invoke(context, node));
  const int64_t count = NumElements(output);
  if (!is_float || count == 0) return kTfLiteOk;
  const int rank = NumDimensions(input);
  int64_t axis =
      dimension->type == kTfLiteInt64 ? *GetTensorData<int64_t>(dimension) : *GetTensorData<int32_t>(dimension);
  if (axis < 0) axis += rank;
  int64_t inner = 1;
  for (int i = static_cast<int>(axis) + 1; i < rank; ++i) inner *= SizeOfDimension(input, i);
  const int size = SizeOfDimension(input, static_cast<int>(axis));
  auto* indices = reinterpret_cast<int32_t*>(output->data.raw);
  SearchAll(input->data.f, count / inner, size, inner, sign, indices);
  if (output->type != kTfLiteInt64) return kTfLiteOk;
  for (int64_t i = count; i-- > 0;) {
    int32_t index;
    std::memcpy(&index, indices + i, sizeof(index));
    output->data.i64[i] = index;
  }
  return kTfLiteOk;
}

}  // namespace

// ARG_MAX and ARG_MIN of float32, for which TFLite has no SIMD here. As in newer native LiteRT, NaN is never the result
// unless a row has nothing else.
TfLiteStatus EvalArgMax(TfLiteContext* context, TfLiteNode* node) {
  return Eval(context, node, *ops::builtin::Register_ARG_MAX(), 1);
}

TfLiteStatus EvalArgMin(TfLiteContext* context, TfLiteNode* node) {
  return Eval(context, node, *ops::builtin::Register_ARG_MIN(), -1);
}

}  // namespace tflite::webnn
