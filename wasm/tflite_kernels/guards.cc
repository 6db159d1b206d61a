#include "tflite_kernels/guards.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

struct Guard {
  GuardTime time;
  GuardCheck* check;
  uint32_t values;  // a bit for each input
};

// A kernel and what is checked around it.
struct GuardedKernel {
  BuiltinOperator op;
  std::string_view custom_op;
  TfLiteRegistration kernel;
  std::vector<Guard> guards;
};

constexpr size_t kMaxKernels = 64;
std::array<GuardedKernel, kMaxKernels> guarded_kernels;
size_t kernel_count = 0;

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
  const Guard* instead = nullptr;
  for (const Guard& guard : guarded.guards) {
    if (guard.time == GuardTime::kInsteadOfEval) {
      if (NumElements(GetInput(context, node, 0)) == 0) instead = &guard;
    } else if (guard.time == GuardTime::kBeforeEval || !ValuesAreKnown(context, node, guard.values)) {
      TF_LITE_ENSURE_OK(context, guard.check(context, node));
    }
  }
  if (instead == nullptr) return guarded.kernel.invoke(context, node);
  if (IsDynamicTensor(GetOutput(context, node, 0))) TF_LITE_ENSURE_OK(context, guarded.kernel.invoke(context, node));
  return instead->check(context, node);
}

// A registration has no field for data: each kernel has functions of its own.
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

// Returns the op's guarded kernel, and registers its functions unless that is done.
GuardedKernel* FindKernel(MutableOpResolver& resolver, BuiltinOperator op, const char* custom_op) {
  const TfLiteRegistration* registered = custom_op != nullptr ? resolver.FindOp(custom_op, 1) : resolver.FindOp(op, 1);
  if (registered == nullptr) return nullptr;
  const std::string_view name = custom_op != nullptr ? custom_op : "";
  const auto end = guarded_kernels.begin() + kernel_count;
  const auto found = std::find_if(guarded_kernels.begin(), end, [op, name](const GuardedKernel& each) {
    return each.op == op && each.custom_op == name;
  });
  const size_t index = found - guarded_kernels.begin();
  const auto [prepare, invoke] = kFunctions.at(index);
  if (found == end) ++kernel_count;
  if (registered->invoke == invoke) return &*found;
  *found = {op, name, *registered, {}};  // the same functions in all versions
  if (custom_op == nullptr) {
    ReplaceKernel(resolver, op, invoke, prepare);
  } else {
    TfLiteRegistration kernel = *registered;
    kernel.prepare = prepare;
    kernel.invoke = invoke;
    resolver.AddCustom(custom_op, &kernel);
  }
  return &*found;
}

}  // namespace

void AddGuard(MutableOpResolver& resolver, BuiltinOperator op, GuardTime time, GuardCheck check,
              std::initializer_list<int> values) {
  GuardedKernel* guarded = FindKernel(resolver, op, nullptr);
  if (guarded == nullptr) return;
  uint32_t bits = 0;
  for (int input : values) bits |= uint32_t{1} << input;
  guarded->guards.push_back({time, check, bits});
}

void AddGuard(MutableOpResolver& resolver, const char* custom_op, GuardTime time, GuardCheck check) {
  GuardedKernel* guarded = FindKernel(resolver, BuiltinOperator_CUSTOM, custom_op);
  if (guarded != nullptr) guarded->guards.push_back({time, check, 0});
}

}  // namespace tflite::webnn
