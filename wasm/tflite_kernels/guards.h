#ifndef TFLITE_WEBNN_TFLITE_KERNELS_GUARDS_H_
#define TFLITE_WEBNN_TFLITE_KERNELS_GUARDS_H_

#include <cstdint>
#include <initializer_list>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/schema/schema_generated.h"

// Checks that TensorFlow Lite's kernels lack before they read or write, and that newer ones have.
// tflite_kernels/op_table.def has the table.
namespace tflite::webnn {

enum class GuardTime {
  kBeforePrepare,  // for kernels that divide, or compute constants, while they are prepared
  kAfterPrepare,
  kBeforeEval,
  kInsteadOfEval,  // of an input 0 without elements: the kernel is called only to resize a dynamic output
};

using GuardCheck = TfLiteStatus(TfLiteContext* context, TfLiteNode* node);

// Puts a check around an op's registered kernel, in all versions; without the op, it does nothing. `values` are the
// inputs whose numbers the check reads: if one of them is known only when the model runs, it runs before each run
// instead.
void AddGuard(MutableOpResolver& resolver, BuiltinOperator op, GuardTime time, GuardCheck check,
              std::initializer_list<int> values = {});
void AddGuard(MutableOpResolver& resolver, const char* custom_op, GuardTime time, GuardCheck check);

// The table's checks, in guarded_shapes.cc, guarded_types.cc, guarded_options.cc and guarded_values.cc.
#define GUARD(op, time, check, ...) GuardCheck check;
#define CUSTOM_GUARD(op, time, check) GuardCheck check;
#include "tflite_kernels/op_table.def"

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TFLITE_KERNELS_GUARDS_H_
