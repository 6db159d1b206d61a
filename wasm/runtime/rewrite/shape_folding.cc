#include <algorithm>
#include <utility>

#include "runtime/rewrite/rewrites.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// Shapes have few elements; folding more would hold memory that the arena shares.
constexpr int64_t kMaxElements = 64;

bool IsKnownShape(const TfLiteTensor& tensor) {
  const bool is_integer = tensor.type == kTfLiteInt32 || tensor.type == kTfLiteInt64 || tensor.type == kTfLiteBool;
  return is_integer && IsConstantOrPersistentTensor(&tensor) && NumElements(&tensor) <= kMaxElements;
}

bool InputsAreKnown(TfLiteContext* context, const TfLiteNode* node) {
  for (int i = 0; i < NumInputs(node); ++i) {
    const TfLiteTensor* input = GetInput(context, node, i);
    if (input == nullptr || !IsKnownShape(*input)) return false;
  }
  return NumInputs(node) > 0;
}

// Shows another signature of a tensor to a kernel.
class OtherSignature {
 public:
  OtherSignature(const TfLiteTensor* tensor, const TfLiteIntArray* signature)
      : tensor_(const_cast<TfLiteTensor*>(tensor)) {
    if (tensor_ != nullptr) signature_ = std::exchange(tensor_->dims_signature, signature);
  }
  ~OtherSignature() {
    if (tensor_ != nullptr) tensor_->dims_signature = signature_;
  }

 private:
  TfLiteTensor* tensor_;
  const TfLiteIntArray* signature_ = nullptr;
};

// Shows a folded tensor to a kernel as a constant of the file.
class AsConstant {
 public:
  explicit AsConstant(const TfLiteTensor* tensor) : tensor_(const_cast<TfLiteTensor*>(tensor)) {
    if (tensor_ == nullptr || tensor_->allocation_type != kTfLitePersistentRo) {
      tensor_ = nullptr;
    } else {
      tensor_->allocation_type = kTfLiteMmapRo;
    }
  }
  ~AsConstant() {
    if (tensor_ != nullptr) tensor_->allocation_type = kTfLitePersistentRo;
  }

 private:
  TfLiteTensor* tensor_;
};

using Prepare = TfLiteStatus (*)(const TfLiteRegistration&, TfLiteContext*, TfLiteNode*);

TfLiteStatus PrepareByKernel(const TfLiteRegistration& kernel, TfLiteContext* context, TfLiteNode* node) {
  return kernel.prepare(context, node);
}

bool HasOpenSize(const TfLiteTensor& size) {
  for (int64_t i = 0; i < NumElements(&size); ++i) {
    if ((size.type == kTfLiteInt64 ? size.data.i64[i] : size.data.i32[i]) == -1) return true;
  }
  return false;
}

int64_t NumberAt(const TfLiteTensor& tensor, int i) {
  return tensor.type == kTfLiteInt64 ? tensor.data.i64[i] : tensor.data.i32[i];
}

// Whether a slice of known numbers is within its input, or is none that the kernel accepts.
bool IsWithin(const TfLiteTensor& input, const TfLiteTensor& begin, const TfLiteTensor& size) {
  for (const TfLiteTensor* numbers : {&begin, &size}) {
    const bool is_integer = numbers->type == kTfLiteInt32 || numbers->type == kTfLiteInt64;
    if (!is_integer || NumElements(numbers) < NumDimensions(&input)) return true;
  }
  for (int i = 0; i < NumDimensions(&input); ++i) {
    if (NumberAt(begin, i) + std::max<int64_t>(NumberAt(size, i), 0) > SizeOfDimension(&input, i)) return false;
  }
  return true;
}

// TFLite's SLICE mistakes an open dimension for an unknown one, and the file's shape of the output for one that cannot
// change. Before a kernel is prepared, its inputs have got their shapes. As newer kernels do, reject another shape than
// the file's if the slice reaches to the end.
TfLiteStatus PrepareSlice(const TfLiteRegistration& kernel, TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = GetInput(context, node, 0);
  const TfLiteTensor *begin = GetInput(context, node, 1), *size = GetInput(context, node, 2);
  TfLiteTensor* output = GetOutput(context, node, 0);
  const bool is_known = begin != nullptr && size != nullptr && output != nullptr &&
                        IsConstantOrPersistentTensor(begin) && IsConstantOrPersistentTensor(size);
  // An open dimension may have a placeholder's size, which is smaller than the slice: its output is dynamic.
  const bool is_placeholder = is_known && HasUnspecifiedDimension(input) && !IsWithin(*input, *begin, *size);
  if (is_placeholder) return kernel.prepare(context, node);
  const OtherSignature fixed(input, nullptr);
  if (!is_known) return kernel.prepare(context, node);
  const bool is_open = HasUnspecifiedDimension(output) || output->dims->size == 0;
  IntArrayUniquePtr file_shape(TfLiteIntArrayCopy(output->dims));
  static const IntArrayUniquePtr kOpen = BuildTfLiteArray({-1});
  const OtherSignature open(output, kOpen.get());
  TF_LITE_ENSURE_OK(context, kernel.prepare(context, node));
  if (is_open || TfLiteIntArrayEqual(file_shape.get(), output->dims) || !HasOpenSize(*size)) return kTfLiteOk;
  TF_LITE_KERNEL_LOG(context, "The slice has another shape than the file says.");
  context->ResizeTensor(context, output, file_shape.release());
  return kTfLiteError;
}

TfLiteStatus ResizeBatch(TfLiteContext* context, TfLiteTensor& tensor, int batch) {
  TfLiteIntArray* shape = TfLiteIntArrayCopy(tensor.dims);
  shape->data[0] = batch;
  return context->ResizeTensor(context, &tensor, shape);
}

// TFLite's TRANSPOSE_CONV reads the shape of its output only from the file. The file's batch need not be that of an
// input that was resized: as with XNNPACK, the result and the sums of integers then have the input's.
TfLiteStatus PrepareTransposeConv(const TfLiteRegistration& kernel, TfLiteContext* context, TfLiteNode* node) {
  const AsConstant shape(GetInput(context, node, 0));
  TF_LITE_ENSURE_STATUS(kernel.prepare(context, node));
  TfLiteTensor* output = GetOutput(context, node, 0);
  const int batch = SizeOfDimension(GetInput(context, node, 2), 0);
  if (IsDynamicTensor(output) || SizeOfDimension(output, 0) == batch) return kTfLiteOk;
  for (int i = 0; i < node->temporaries->size; ++i) {
    TfLiteTensor& temporary = context->tensors[node->temporaries->data[i]];
    if (!IsDynamicTensor(&temporary) && TfLiteIntArrayEqual(temporary.dims, output->dims)) {
      TF_LITE_ENSURE_STATUS(ResizeBatch(context, temporary, batch));
    }
  }
  return ResizeBatch(context, *output, batch);
}

// The kernel of an op, around TFLite's.
template <BuiltinOperator kOp, Prepare kPrepare = PrepareByKernel>
class Folding {
 public:
  static void Register(MutableOpResolver& resolver) {
    const TfLiteRegistration* registered = resolver.FindOp(kOp, 1);
    if (registered == nullptr) return;
    kernel_ = *registered;
    ReplaceKernel(resolver, kOp, Invoke, Prepare);
  }

 private:
  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
    const bool fold = InputsAreKnown(context, node);
    for (int i = 0; fold && i < NumOutputs(node); ++i) SetTensorToPersistentRo(GetOutput(context, node, i));
    TF_LITE_ENSURE_OK(context, kPrepare(kernel_, context, node));
    if (!fold || !IsDone(context, node)) return kTfLiteOk;
    for (int i = 0; i < NumOutputs(node); ++i) {
      TfLiteTensor* output = GetOutput(context, node, i);
      if (output->data.raw != nullptr) continue;
      // SLICE does not resize an output whose shape the file fixes
      TF_LITE_ENSURE_OK(context, context->ResizeTensor(context, output, TfLiteIntArrayCopy(output->dims)));
    }
    return kernel_.invoke(context, node);
  }

  static TfLiteStatus Invoke(TfLiteContext* context, TfLiteNode* node) {
    return IsDone(context, node) ? kTfLiteOk : kernel_.invoke(context, node);
  }

  static bool IsDone(TfLiteContext* context, const TfLiteNode* node) {
    return IsConstantOrPersistentTensor(GetOutput(context, node, 0));
  }

  static inline TfLiteRegistration kernel_;  // the same functions in all versions
};

}  // namespace

void FoldShapes(MutableOpResolver& resolver) {
#define FOLDS(name, ...) Folding<BuiltinOperator_##name __VA_OPT__(, ) __VA_ARGS__>::Register(resolver);
#include "tflite_kernels/op_table.def"
}

}  // namespace tflite::webnn
