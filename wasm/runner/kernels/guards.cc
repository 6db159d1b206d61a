#include "runner/kernels/guards.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "runner/kernels/own_kernels.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

// A kernel and what is checked around it.
struct GuardedKernel {
  TfLiteRegistration kernel = {};
  std::vector<Guard> guards;
};

constexpr size_t kMaxKernels = 64;
std::array<GuardedKernel, kMaxKernels> guarded_kernels;

bool ValuesAreKnown(TfLiteContext* context, const TfLiteNode* node, uint32_t values) {
  for (int i = 0; i < NumInputs(node); ++i) {
    if ((values >> i & 1) == 0) continue;
    const TfLiteTensor* input = GetOptionalInputTensor(context, node, i);
    if (input != nullptr && !IsConstantOrPersistentTensor(input)) return false;
  }
  return true;
}

TfLiteStatus CheckAt(GuardTime time, const GuardedKernel& guarded, TfLiteContext* context, TfLiteNode* node) {
  for (const Guard& guard : guarded.guards) {
    if (guard.time != time || !ValuesAreKnown(context, node, guard.values)) continue;
    TF_LITE_ENSURE_OK(context, guard.check(context, node));
  }
  return kTfLiteOk;
}

TfLiteStatus PrepareGuarded(const GuardedKernel& guarded, TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, CheckAt(GuardTime::kBeforePrepare, guarded, context, node));
  if (guarded.kernel.prepare != nullptr) TF_LITE_ENSURE_OK(context, guarded.kernel.prepare(context, node));
  return CheckAt(GuardTime::kAfterPrepare, guarded, context, node);
}

TfLiteStatus InvokeGuarded(const GuardedKernel& guarded, TfLiteContext* context, TfLiteNode* node) {
  for (const Guard& guard : guarded.guards) {
    if (guard.time == GuardTime::kInsteadOfEval) {
      if (NumElements(GetInput(context, node, 0)) == 0) return guard.check(context, node);
    } else if (guard.time == GuardTime::kBeforeEval || !ValuesAreKnown(context, node, guard.values)) {
      TF_LITE_ENSURE_OK(context, guard.check(context, node));
    }
  }
  return guarded.kernel.invoke(context, node);
}

// A registration has no place for data: each kernel has functions of its own.
template <size_t kIndex>
struct Functions {
  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
    return PrepareGuarded(guarded_kernels[kIndex], context, node);
  }
  static TfLiteStatus Invoke(TfLiteContext* context, TfLiteNode* node) {
    return InvokeGuarded(guarded_kernels[kIndex], context, node);
  }
};

template <size_t... kIndices>
constexpr auto MakeFunctions(std::index_sequence<kIndices...>) {
  return std::array{std::pair{&Functions<kIndices>::Prepare, &Functions<kIndices>::Invoke}...};
}
constexpr auto kFunctions = MakeFunctions(std::make_index_sequence<kMaxKernels>());

}  // namespace

void GuardKernels(MutableOpResolver& resolver) {
  std::vector<Guard> all;
  for (const auto& part : {ShapeGuards(), TypeGuards(), OptionGuards(), ValueGuards()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  size_t count = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const Guard& first = all[i];
    const auto is_same = [&first](const Guard& guard) {
      return guard.op == first.op &&
             (first.custom_name == nullptr || std::strcmp(guard.custom_name, first.custom_name) == 0);
    };
    if (std::find_if(all.begin(), all.begin() + i, is_same) != all.begin() + i) continue;
    const bool is_custom = first.custom_name != nullptr;
    const TfLiteRegistration* registered =
        is_custom ? resolver.FindOp(first.custom_name, 1) : resolver.FindOp(first.op, 1);
    if (registered == nullptr) continue;
    GuardedKernel& guarded = guarded_kernels.at(count);
    guarded = {*registered, {}};  // the same functions in all versions
    std::copy_if(all.begin() + i, all.end(), std::back_inserter(guarded.guards), is_same);
    const auto [prepare, invoke] = kFunctions[count++];
    if (is_custom) {
      TfLiteRegistration kernel = *registered;
      kernel.prepare = prepare;
      kernel.invoke = invoke;
      resolver.AddCustom(first.custom_name, &kernel);
    } else {
      ReplaceKernel(resolver, first.op, invoke, prepare);
    }
  }
}

}  // namespace tflite::webnn
