#ifndef TFLITE_WEBNN_RUNNER_TFLITE_WEB_MODEL_RUNNER_H_
#define TFLITE_WEBNN_RUNNER_TFLITE_WEB_MODEL_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/execution_plan.h"
#include "runner/node_profiler.h"
#include "runner/partition_report.h"
#include "runner/runner_error.h"
#include "runner/tflite_web_model_runner_options.h"
#include "runner/xnnpack_denials.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/core/model_builder.h"
#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite::webnn {

// The text that TFLite reports while something fails.
class CollectingReporter : public ErrorReporter {
 public:
  int Report(const char* format, va_list args) override;
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

// TFLite's name of an op: BuiltinOperator's, or a custom op's own.
const char* OpName(const TfLiteRegistration& registration);

// Loads a model, applies the delegates, and runs what is left on the CPU. The WebNN steps of the plan
// are described here (description.h) and run by JavaScript.
class TFLiteWebModelRunner {
 public:
  TFLiteWebModelRunner();

  TFLiteWebModelRunnerOptions& options() { return options_; }
  const TFLiteWebModelRunnerOptions& options() const { return options_; }

  // Takes the model's bytes. Call once.
  RunnerError InitFromBuffer(std::unique_ptr<uint8_t[], void (*)(void*)> buffer, size_t size_bytes);

  // Runs the whole plan. Fails with INVOKE_FAILED when a WebNN step is in it that no host computes.
  RunnerError Invoke();
  // Runs the entries [first, first + count) of the execution plan.
  RunnerError InvokeSteps(int first, int count);
  // Makes a subgraph ready to be invoked by itself, as a signature may ask: one other than the main one, or, with
  // defer_allocation, that too. Again does nothing, unless an input was resized.
  RunnerError AllocateSubgraph(int subgraph_index);
  RunnerError InvokeSubgraph(int subgraph_index);
  // Changes the shape of an input, "1,224,224,3", or "" for a scalar; its subgraph must then be allocated again. When
  // strict, only sizes that the model leaves open may change. Only with defer_allocation, with WebNN only before the
  // first allocation, or in other subgraphs than the main one: fails with INVALID_INPUT_SHAPE otherwise, and in
  // TFLite's words where the shape does not fit.
  RunnerError ResizeInput(int tensor_index, int subgraph_index, std::string_view shape, bool strict);
  // Gives a tensor of a size that depends on its values, for example of strings, as many bytes.
  RunnerError ResizeTensorBytes(int tensor_index, int subgraph_index, size_t size_bytes);
  // Forgets what the model remembers from run to run: variable tensors, resource variables, tables.
  RunnerError ResetState();
  // Zeros the variable tensors only, as TFLite's reset_all_variables() does.
  RunnerError ResetVariables();

  const uint8_t* model_data() const { return buffer_.get(); }
  const Interpreter& interpreter() const { return *interpreter_; }
  Subgraph& subgraph() const { return *interpreter_->subgraph(0); }
  const std::vector<PlanStep>& steps() const { return steps_; }
  const PartitionReport& report() const { return report_; }
  // Why the WebNN delegate was asked for but not applied; empty otherwise.
  const std::string& delegate_error() const { return delegate_error_; }
  // What XNNPACK was asked for but failed to prepare.
  const XnnpackDenials& xnnpack_denials() const { return xnnpack_denials_; }
  // Null when an index is out of range.
  TfLiteTensor* tensor(int index, int subgraph_index = 0) const;
  // Null unless profiling is enabled.
  NodeProfiler* profiler() const { return profiler_.get(); }

 private:
  // Applies the delegates, and allocates the main subgraph's tensors; again without what XNNPACK fails to prepare.
  RunnerError Prepare();
  RunnerError AllocateMainSubgraph();
  // The same for the interpreter as it was, with less of it on XNNPACK.
  RunnerError PrepareAgain();
  // Makes the model usable again after a subgraph could not be allocated with the shapes that it was given. Returns
  // `error` with a note where that cost the state.
  RunnerError Restore(int subgraph_index, RunnerError error);
  RunnerError BuildInterpreter();
  RunnerError ResizeInputs();
  // Whether the kernels accept the inputs that were resized after the delegates were applied: XNNPACK's own check at
  // that time does not look at everything, such as the channels of a convolution.
  RunnerError CheckResizedInputs();
  RunnerError ApplyDelegates();
  RunnerError ApplyWebnnDelegate(bool* applied);
  RunnerError ApplyXnnpackDelegate();
  RunnerError Fail(const char* code, const std::string& what);

  TFLiteWebModelRunnerOptions options_;
  CollectingReporter reporter_;
  MutableOpResolver resolver_;
  std::unique_ptr<uint8_t[], void (*)(void*)> buffer_;
  std::unique_ptr<FlatBufferModel> model_;
  // Delegates must outlive the interpreter, so they are declared before it.
  Interpreter::TfLiteDelegatePtr webnn_delegate_;
  Interpreter::TfLiteDelegatePtr xnnpack_delegate_;
  std::unique_ptr<NodeProfiler> profiler_;
  std::unique_ptr<Interpreter> interpreter_;
  bool delegates_applied_ = false;
  std::set<int> allocated_subgraphs_;
  // Shapes by subgraph and tensor, for an interpreter that is built again.
  std::map<std::pair<int, int>, std::vector<int>> resized_inputs_;
  // Whether an input of the main subgraph was resized since its tensors were allocated.
  bool is_resized_ = false;
  // Whether an input of the main subgraph has no elements, as the delegates were applied.
  bool is_empty_ = false;
  bool was_invoked_ = false;
  XnnpackDenials xnnpack_denials_;
  std::vector<PlanStep> steps_;
  PartitionReport report_;
  std::string delegate_error_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_TFLITE_WEB_MODEL_RUNNER_H_
