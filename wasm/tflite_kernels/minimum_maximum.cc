#include <wasm_simd128.h>

#include <cstdint>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tflite_kernels/broadcast_vectors.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// Of two numbers, or of two vectors, whose masks it returns. TFLite chooses the second one if any is NaN.
template <bool kIsMaximum, typename T>
auto IsFirstChosen(const T& x, const T& y) {
  if constexpr (kIsMaximum) return x > y;
  if constexpr (!kIsMaximum) return x < y;
}

template <bool kIsMaximum, typename T>
void ChooseRow(const BroadcastRow& row, const char* input1, const char* input2, char* output) {
  constexpr int kLanesOfVector = kVectorElements / sizeof(T);
  const RowOperand x(reinterpret_cast<const T*>(input1) + row.input1, row.step1);
  const RowOperand y(reinterpret_cast<const T*>(input2) + row.input2, row.step2);
  T* to = reinterpret_cast<T*>(output) + row.output;
  int i = 0;
  for (; i + kLanesOfVector <= row.count; i += kLanesOfVector) {
    const Vector<T> a = LoadVector(x.At(i)), b = LoadVector(y.At(i));
    const auto is_first = reinterpret_cast<v128_t>(IsFirstChosen<kIsMaximum>(a, b));
    wasm_v128_store(to + i, wasm_v128_bitselect(reinterpret_cast<v128_t>(a), reinterpret_cast<v128_t>(b), is_first));
  }
  for (; i < row.count; ++i) to[i] = IsFirstChosen<kIsMaximum>(*x.At(i), *y.At(i)) ? *x.At(i) : *y.At(i);
}

// Null for types that no converter writes here.
template <bool kIsMaximum>
RowFunction* FunctionFor(TfLiteType type) {
  switch (type) {
    case kTfLiteFloat32:
      return ChooseRow<kIsMaximum, float>;
    case kTfLiteInt8:
      return ChooseRow<kIsMaximum, int8_t>;
    case kTfLiteUInt8:
      return ChooseRow<kIsMaximum, uint8_t>;
    case kTfLiteInt16:
      return ChooseRow<kIsMaximum, int16_t>;
    case kTfLiteInt32:
      return ChooseRow<kIsMaximum, int32_t>;
    case kTfLiteInt64:
      return ChooseRow<kIsMaximum, int64_t>;
    default:
      return nullptr;
  }
}

// TFLite's MAXIMUM and MINIMUM reject these.
template <bool kIsMaximum>
RowFunction* StablehloFunctionFor(TfLiteType type) {
  switch (type) {
    case kTfLiteBool:
      return ChooseRow<kIsMaximum, uint8_t>;
    case kTfLiteUInt32:
      return ChooseRow<kIsMaximum, uint32_t>;
    default:
      return FunctionFor<kIsMaximum>(type);
  }
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node, RowFunction* function, const TfLiteRegistration& tflite,
                  int first = 0) {
  if (function == nullptr) return tflite.invoke(context, node);
  return ComputeRows(function, GetInput(context, node, first), GetInput(context, node, 1 - first),
                     GetOutput(context, node, 0));
}

// That of inputs and output; STABLEHLO's may differ, and TFLite's kernel then reads and writes the first input's.
TfLiteType TypeOf(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteType type = GetInput(context, node, 0)->type;
  return GetOutput(context, node, 0)->type == type ? type : kTfLiteNoType;
}

}  // namespace

// MAXIMUM and MINIMUM, for which TFLite has SIMD on Arm and x86 only.
TfLiteStatus EvalMaximum(TfLiteContext* context, TfLiteNode* node) {
  return Eval(context, node, FunctionFor<true>(TypeOf(context, node)), *ops::builtin::Register_MAXIMUM());
}

TfLiteStatus EvalMinimum(TfLiteContext* context, TfLiteNode* node) {
  return Eval(context, node, FunctionFor<false>(TypeOf(context, node)), *ops::builtin::Register_MINIMUM());
}

// STABLEHLO's, which TFLite computes by std::max() and std::min(): they choose the first one if any is NaN.
TfLiteStatus EvalStablehloMaximum(TfLiteContext* context, TfLiteNode* node) {
  return Eval(context, node, StablehloFunctionFor<true>(TypeOf(context, node)),
              *ops::builtin::Register_STABLEHLO_MAXIMUM(), 1);
}

TfLiteStatus EvalStablehloMinimum(TfLiteContext* context, TfLiteNode* node) {
  return Eval(context, node, StablehloFunctionFor<false>(TypeOf(context, node)),
              *ops::builtin::Register_STABLEHLO_MINIMUM(), 1);
}

}  // namespace tflite::webnn
