#ifndef TFLITE_WEBNN_RUNNER_KERNELS_GUARDS_H_
#define TFLITE_WEBNN_RUNNER_KERNELS_GUARDS_H_

#include <cstdint>
#include <span>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/schema/schema_generated.h"

// Checks that TensorFlow Lite's kernels lack before they read or write, and that newer ones have.
namespace tflite::webnn {

enum class GuardTime {
  kBeforePrepare,  // for kernels that divide, or compute constants, while they are prepared
  kAfterPrepare,
  kBeforeEval,
  kInsteadOfEval,  // of an input 0 without elements: the kernel is not called
};

struct Guard {
  BuiltinOperator op;
  GuardTime time;
  TfLiteStatus (*check)(TfLiteContext* context, TfLiteNode* node);
  // A bit for each input whose numbers the check reads. If one of them is known only when the model runs, the check is
  // made before each run instead.
  uint32_t values = 0;
  const char* custom_name = nullptr;
};

// The table, in parts.
std::span<const Guard> ShapeGuards();
std::span<const Guard> TypeGuards();
std::span<const Guard> OptionGuards();
std::span<const Guard> ValueGuards();  // indices, sizes and paddings that tensors hold

// Puts the guards around the kernels that are registered, in all versions.
void GuardKernels(MutableOpResolver& resolver);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_KERNELS_GUARDS_H_
