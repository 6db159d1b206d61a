#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_TFLITE_WEB_MODEL_RUNNER_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_TFLITE_WEB_MODEL_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/execute/collecting_reporter.h"
#include "runtime/execute/execution_plan.h"
#include "runtime/execute/node_profiler.h"
#include "runtime/execute/partition_report.h"
#include "runtime/execute/tflite_web_model_runner_options.h"
#include "runtime/rewrite/composites.h"
#include "runtime/rewrite/repeated_factors.h"
#include "runtime/rewrite/variables.h"
#include "runtime/rewrite/weight_unpacking.h"
#include "runtime/xnnpack/exclusions.h"
#include "runtime/xnnpack/packed_weights.h"
#include "runtime/xnnpack/partitions.h"
#include "support/status.h"
#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/core/model_builder.h"
#include "xnnpack_kernels/weights_in_place.h"

namespace tflite::webnn {

// Loads a model, applies the delegates, and runs the rest on the CPU. JavaScript runs the plan's WebNN
// steps from their description (description.h).
class TFLiteWebModelRunner {
 public:
  TFLiteWebModelRunner();

  TFLiteWebModelRunnerOptions& options() { return options_; }
  const TFLiteWebModelRunnerOptions& options() const { return options_; }

  // Takes ownership of the model's bytes. Call once.
  Status InitFromBuffer(std::unique_ptr<uint8_t[], void (*)(void*)> buffer, size_t size_bytes);
  // The RFC's: copies the model's bytes, and takes the kernels from `resolver` in place of the module's.
  Status InitFromBuffer(const char* model_buffer_data, size_t model_buffer_size, std::unique_ptr<OpResolver> resolver);

  // Runs the whole plan. Fails with INVOKE_FAILED if it has a WebNN step and there is no host.
  Status Invoke();
  // Runs the entries [first, first + count) of the execution plan.
  Status InvokeSteps(int first, int count);
  // Allocates a subgraph so that a signature can invoke it: a subgraph other than the main one or, with
  // defer_allocation, also the main one. A second call does nothing unless an input was resized.
  Status AllocateSubgraph(int subgraph_index);
  Status InvokeSubgraph(int subgraph_index);
  // Changes the shape of an input: "1,224,224,3", or "" for a scalar. Allocate its subgraph again afterwards. If
  // `strict`, only dimensions that the model leaves open may change. In the main subgraph this needs defer_allocation
  // and, with WebNN, must precede the first allocation; otherwise it fails with INVALID_INPUT_SHAPE. If the shape does
  // not fit, the message is TFLite's.
  Status ResizeInput(int tensor_index, int subgraph_index, std::string_view shape, bool strict);
  // Sets the size of a tensor whose size depends on its values, such as a tensor of strings.
  Status ResizeTensorBytes(int tensor_index, int subgraph_index, size_t size_bytes);
  // Resets the model's state: variable tensors, resource variables, tables.
  Status ResetState();
  // Resets the variable tensors only, as TFLite's reset_all_variables() does.
  Status ResetVariables();

  // The model's bytes. Where XNNPACK reorders weights there, between UseFileOrder(true) and UseFileOrder(false) only,
  // with no run meanwhile.
  const uint8_t* model_data() const { return buffer_.get(); }
  void UseFileOrder(bool is_file_order) const { weights_in_place_.UseOwnOrder(is_file_order); }
  // A part of the content of a graph's constant, until the next call: content that is made when it is read is then
  // freed. Null for an address of no constant.
  const uint8_t* ConstantData(int64_t address, size_t size_bytes) { return constants_.At(address, size_bytes, steps_); }
  const Interpreter& interpreter() const { return *interpreter_; }
  // The subgraph that option main_subgraph names.
  Subgraph& subgraph() const { return *interpreter_->subgraph(main_subgraph()); }
  int main_subgraph() const { return options_.main_subgraph; }
  const std::vector<PlanStep>& steps() const { return steps_; }
  const PartitionReport& report() const { return report_; }
  // The variables that the caller keeps.
  const Variables& variables() const { return variables_; }
  // The main subgraph's inputs and outputs without those of variables().
  std::vector<int> inputs() const;
  std::vector<int> outputs() const;
  // Why the enabled WebNN delegate was not applied; empty otherwise.
  const std::string& delegate_error() const { return delegate_error_; }
  // Whether it was not applied because the CPU is faster.
  bool is_faster_on_cpu() const { return is_faster_on_cpu_; }
  // The nodes that XNNPACK failed to prepare.
  const XnnpackDenials& xnnpack_denials() const { return xnnpack_denials_; }
  // Null where it has none.
  const XnnpackPartitions* xnnpack_partitions() const { return xnnpack_partitions_.get(); }
  // Null when an index is out of range.
  TfLiteTensor* tensor(int index, int subgraph_index) const;
  // Points an input or output of a subgraph at other memory of the same size, for one run: exchange it back before
  // anything is resized. Returns the memory that it had. Returns null and does nothing if TFLite may move the tensor
  // during the run, or it is a constant.
  char* ExchangeTensorData(int index, int subgraph_index, char* data) const;
  // Null unless profiling is enabled.
  NodeProfiler* profiler() const { return profiler_.get(); }

 private:
  // Applies the delegates and allocates the main subgraph's tensors; retries without nodes that XNNPACK fails to
  // prepare.
  Status Prepare();
  Status AllocateMainSubgraph();
  // Rebuilds the interpreter, with fewer nodes on XNNPACK, and prepares it.
  Status PrepareAgain();
  // Makes the model usable again after a subgraph could not be allocated with its new shapes. Returns `error`, with a
  // note if the model's state was lost.
  Status Restore(int subgraph_index, Status error);
  Status BuildInterpreter();
  Status ResizeInputs();
  // Subgraphs of signatures that do not run need no delegates' weights.
  void LeaveOtherSignaturesToKernels();
  // Whether the kernels accept inputs that were resized after the delegates were applied, and whether rewrites relied
  // on other shapes.
  Status CheckResizedInputs();
  Status ApplyDelegates();
  Status ApplyWebnnDelegate(bool* applied);
  // Applies the WebNN delegate to an interpreter with dynamic tensors, after it has moved the nodes that write them.
  TfLiteStatus ApplyBesideDynamicTensors();
  Status ApplyXnnpackDelegate();
  // Keeps XNNPACK from the nodes that it failed to prepare. False if it is not the cause of the error.
  bool DenyXnnpack(int subgraph_index, const Status& error);
  Status Fail(const char* code, const std::string& what);

  TFLiteWebModelRunnerOptions options_;
  CollectingReporter reporter_;
  std::unique_ptr<OpResolver> resolver_;
  std::unique_ptr<uint8_t[], void (*)(void*)> buffer_;
  std::unique_ptr<FlatBufferModel> model_;
  WeightsInPlace weights_in_place_;
  // Delegates must outlive the interpreter, so they are declared before it.
  PackedWeights packed_weights_;
  Interpreter::TfLiteDelegatePtr webnn_delegate_;
  Interpreter::TfLiteDelegatePtr xnnpack_delegate_;
  std::unique_ptr<XnnpackPartitions> xnnpack_partitions_;
  std::unique_ptr<NodeProfiler> profiler_;
  UnpackedWeights unpacked_weights_;
  KnownShapes known_shapes_;  // of the model as it is prepared
  Variables variables_;
  std::unique_ptr<Interpreter> interpreter_;
  std::map<int, Composites> composites_;  // by subgraph
  bool delegates_applied_ = false;
  std::set<int> allocated_subgraphs_;
  // Shapes by subgraph and tensor, to restore when the interpreter is rebuilt.
  std::map<std::pair<int, int>, std::vector<int>> resized_inputs_;
  // Whether an input of the main subgraph was resized since its tensors were allocated.
  bool is_resized_ = false;
  bool has_other_shapes_ = false;  // since the inputs were resized, than known_shapes_
  // Whether an input of the main subgraph had no elements when the delegates were applied.
  bool is_empty_ = false;
  bool was_invoked_ = false;
  XnnpackDenials xnnpack_denials_;
  std::vector<PlanStep> steps_;
  ConstantReader constants_;
  PartitionReport report_;
  std::string delegate_error_;
  bool is_faster_on_cpu_ = false;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_TFLITE_WEB_MODEL_RUNNER_H_
