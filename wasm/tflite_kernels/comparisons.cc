#include <wasm_simd128.h>

#include <array>
#include <cstdint>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/common.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tflite_kernels/broadcast_vectors.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// A table of the real numbers of bytes pays from here on.
constexpr int kMinTableElements = 1024;

enum class Relation { kEqual, kNotEqual, kLess, kLessEqual };

// Of numbers, or of vectors, whose masks it returns.
template <Relation kRelation, typename T>
auto Compare(const T& x, const T& y) {
  if constexpr (kRelation == Relation::kEqual) return x == y;
  if constexpr (kRelation == Relation::kNotEqual) return x != y;
  if constexpr (kRelation == Relation::kLess) return x < y;
  if constexpr (kRelation == Relation::kLessEqual) return x <= y;
}

// Sixteen booleans.
template <Relation kRelation, typename T>
v128_t CompareVectors(const T* x, const T* y) {
  constexpr int kLanesOfVector = kVectorElements / sizeof(T);
  v128_t masks[sizeof(T)];
  for (size_t i = 0; i < sizeof(T); ++i, x += kLanesOfVector, y += kLanesOfVector) {
    masks[i] = reinterpret_cast<v128_t>(Compare<kRelation>(LoadVector(x), LoadVector(y)));
  }
  if constexpr (sizeof(T) == 8) {
    for (int i = 0; i < 4; ++i) masks[i] = wasm_i32x4_shuffle(masks[2 * i], masks[2 * i + 1], 0, 2, 4, 6);
  }
  if constexpr (sizeof(T) >= 4) {
    masks[0] = wasm_i16x8_narrow_i32x4(masks[0], masks[1]);
    masks[1] = wasm_i16x8_narrow_i32x4(masks[2], masks[3]);
  }
  if constexpr (sizeof(T) >= 2) masks[0] = wasm_i8x16_narrow_i16x8(masks[0], masks[1]);
  return wasm_v128_and(masks[0], wasm_i8x16_const_splat(1));
}

template <Relation kRelation, typename T>
void CompareRow(const BroadcastRow& row, const char* input1, const char* input2, char* output) {
  const RowOperand x(reinterpret_cast<const T*>(input1) + row.input1, row.step1);
  const RowOperand y(reinterpret_cast<const T*>(input2) + row.input2, row.step2);
  output += row.output;
  int i = 0;
  for (; i + kVectorElements <= row.count; i += kVectorElements) {
    wasm_v128_store(output + i, CompareVectors<kRelation>(x.At(i), y.At(i)));
  }
  for (; i < row.count; ++i) output[i] = Compare<kRelation>(*x.At(i), *y.At(i));
}

// Null for types that TFLite's kernel scales, or that no converter writes here. Its NOT_EQUAL writes nothing for int16
// without scales.
template <Relation kRelation>
RowFunction* FunctionFor(const TfLiteTensor& input) {
  constexpr bool kIsEquality = kRelation == Relation::kEqual || kRelation == Relation::kNotEqual;
  switch (input.type) {
    case kTfLiteFloat32:
      return CompareRow<kRelation, float>;
    case kTfLiteInt32:
      return CompareRow<kRelation, int32_t>;
    case kTfLiteInt64:
      return CompareRow<kRelation, int64_t>;
    case kTfLiteInt16:
      if (kIsEquality && input.quantization.type != kTfLiteNoQuantization) return nullptr;
      return CompareRow<kRelation, int16_t>;
    case kTfLiteBool:
      if constexpr (kIsEquality) return CompareRow<kRelation, uint8_t>;
      return nullptr;
    default:
      return nullptr;
  }
}

// TFLite's scaled integer of each byte.
using ByteTable = std::array<int32_t, 256>;

ByteTable TableFor(const TfLiteTensor& input) {
  constexpr int kLeftShift = 8;
  int32_t multiplier;
  int shift;
  const double scale = input.params.scale;
  if (scale < 1) {
    QuantizeMultiplierSmallerThanOneExp(scale, &multiplier, &shift);
  } else {
    QuantizeMultiplierGreaterThanOne(scale, &multiplier, &shift);
  }
  ByteTable table;
  for (int byte = 0; byte < 256; ++byte) {
    const int value = input.type == kTfLiteInt8 ? static_cast<int8_t>(byte) : byte;
    table[byte] = MultiplyByQuantizedMultiplierSmallerThanOneExp((value - input.params.zero_point) * (1 << kLeftShift),
                                                                 multiplier, shift);
  }
  return table;
}

template <Relation kRelation>
void CompareBytes(const TfLiteTensor* input1, const TfLiteTensor* input2, TfLiteTensor* output) {
  const ByteTable table1 = TableFor(*input1), table2 = TableFor(*input2);
  ForEachBroadcastElement(GetTensorShape(input1), GetTensorShape(input2), GetTensorShape(output),
                          [&, x = input1->data.uint8, y = input2->data.uint8, to = output->data.b](
                              int i, int j, int k) { to[i] = Compare<kRelation>(table1[x[j]], table2[y[k]]); });
}

template <Relation kRelation>
TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node, const TfLiteRegistration& tflite, int first = 0) {
  const TfLiteTensor* input1 = GetInput(context, node, first);
  const TfLiteTensor* input2 = GetInput(context, node, 1 - first);
  TfLiteTensor* output = GetOutput(context, node, 0);
  if (RowFunction* function = FunctionFor<kRelation>(*input1)) return ComputeRows(function, input1, input2, output);
  const bool has_bytes = input1->type == kTfLiteInt8 || input1->type == kTfLiteUInt8;
  if (!has_bytes || NumElements(output) < kMinTableElements) return tflite.invoke(context, node);
  CompareBytes<kRelation>(input1, input2, output);
  return kTfLiteOk;
}

}  // namespace

// TFLite's comparisons, for which it has no SIMD.
TfLiteStatus EvalEqual(TfLiteContext* context, TfLiteNode* node) {
  return Eval<Relation::kEqual>(context, node, *ops::builtin::Register_EQUAL());
}

TfLiteStatus EvalNotEqual(TfLiteContext* context, TfLiteNode* node) {
  return Eval<Relation::kNotEqual>(context, node, *ops::builtin::Register_NOT_EQUAL());
}

TfLiteStatus EvalLess(TfLiteContext* context, TfLiteNode* node) {
  return Eval<Relation::kLess>(context, node, *ops::builtin::Register_LESS());
}

TfLiteStatus EvalLessEqual(TfLiteContext* context, TfLiteNode* node) {
  return Eval<Relation::kLessEqual>(context, node, *ops::builtin::Register_LESS_EQUAL());
}

TfLiteStatus EvalGreater(TfLiteContext* context, TfLiteNode* node) {
  return Eval<Relation::kLess>(context, node, *ops::builtin::Register_GREATER(), 1);
}

TfLiteStatus EvalGreaterEqual(TfLiteContext* context, TfLiteNode* node) {
  return Eval<Relation::kLessEqual>(context, node, *ops::builtin::Register_GREATER_EQUAL(), 1);
}

}  // namespace tflite::webnn
