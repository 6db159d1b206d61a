#include <algorithm>
#include <cstdint>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

constexpr int kMinVectorized = 16;

enum Input { kIndices, kDepth, kOnValue, kOffValue };

// The axis of the depth is between `before` and `after` indices.
struct Sizes {
  int64_t before, depth, after;
};

// Fast where indices follow one another: LLVM makes vectors of them.
template <typename T>
void WriteByComparison(const Sizes& sizes, const int32_t* indices, T on_value, T off_value, T* output) {
  for (int64_t i = 0; i < sizes.before; ++i, indices += sizes.after) {
    for (int32_t j = 0; j < sizes.depth; ++j, output += sizes.after) {
      for (int k = 0; k < static_cast<int>(sizes.after); ++k) output[k] = indices[k] == j ? on_value : off_value;
    }
  }
}

template <typename T, typename Index>
void Write(const Sizes& sizes, const Index* indices, T on_value, T off_value, T* output) {
  std::fill_n(output, sizes.before * sizes.depth * sizes.after, off_value);
  for (int64_t i = 0; i < sizes.before; ++i, output += sizes.depth * sizes.after) {
    for (int64_t k = 0; k < sizes.after; ++k) {
      const auto index = static_cast<int32_t>(*indices++);
      if (index >= 0 && index < sizes.depth) output[index * sizes.after + k] = on_value;
    }
  }
}

// Copies bits.
template <typename T>
TfLiteStatus Compute(TfLiteContext* context, TfLiteNode* node, const Sizes& sizes) {
  const TfLiteTensor* indices = GetInput(context, node, kIndices);
  const T on_value = *reinterpret_cast<const T*>(GetInput(context, node, kOnValue)->data.raw_const);
  const T off_value = *reinterpret_cast<const T*>(GetInput(context, node, kOffValue)->data.raw_const);
  T* output = reinterpret_cast<T*>(GetOutput(context, node, 0)->data.raw);
  if (indices->type == kTfLiteInt32 && sizes.after >= kMinVectorized) {
    WriteByComparison(sizes, indices->data.i32, on_value, off_value, output);
  } else if (indices->type == kTfLiteInt64) {
    Write(sizes, indices->data.i64, on_value, off_value, output);
  } else {
    Write(sizes, indices->data.i32, on_value, off_value, output);
  }
  return kTfLiteOk;
}

}  // namespace

// ONE_HOT, which TFLite computes by comparing each index with each depth.
TfLiteStatus EvalOneHot(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* indices = GetInput(context, node, kIndices);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const int axis = static_cast<const TfLiteOneHotParams*>(node->builtin_data)->axis;
  if (IsDynamicTensor(output)) return ops::builtin::Register_ONE_HOT()->invoke(context, node);
  Sizes sizes = {1, *GetInput(context, node, kDepth)->data.i32, 1};
  for (int i = 0; i < NumDimensions(indices); ++i) {
    (axis == -1 || i < axis ? sizes.before : sizes.after) *= SizeOfDimension(indices, i);
  }
  switch (output->type) {
    case kTfLiteBool:
    case kTfLiteInt8:
    case kTfLiteUInt8:
      return Compute<uint8_t>(context, node, sizes);
    case kTfLiteFloat32:
    case kTfLiteInt32:
      return Compute<uint32_t>(context, node, sizes);
    case kTfLiteInt64:
      return Compute<uint64_t>(context, node, sizes);
    default:
      return ops::builtin::Register_ONE_HOT()->invoke(context, node);
  }
}

}  // namespace tflite::webnn
