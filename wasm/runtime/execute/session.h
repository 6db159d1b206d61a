#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_SESSION_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/execute/collecting_reporter.h"
#include "runtime/execute/execution_plan.h"
#include "runtime/execute/load_constraints.h"
#include "runtime/execute/node_profiler.h"
#include "runtime/execute/partition_report.h"
#include "runtime/execute/tflite_web_model_runner_options.h"
#include "runtime/rewrite/rewrites.h"
#include "runtime/xnnpack/packed_weights.h"
#include "runtime/xnnpack/partitions.h"
#include "support/status.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "xnnpack_kernels/weights_in_place.h"

namespace tflite::webnn {

// A model that a Loader has built: it runs, and keeps its state. The file, the options, the constraints and the
// reporter are the Loader's, and must outlive it.
class Session {
 public:
  Session(const Model& file, const TFLiteWebModelRunnerOptions& options, const LoadConstraints& constraints,
          CollectingReporter& reporter)
      : file_(file), options_(options), constraints_(constraints), reporter_(reporter) {}

  // Runs the entire plan. Fails with INVOKE_FAILED if it has a WebNN step and there is no host.
  Status Invoke();
  // Runs the entries [first, first + count) of the execution plan.
  Status InvokeSteps(int first, int count);
  // Runs an allocated subgraph.
  Status InvokeSubgraph(int subgraph_index);
  // Sets the size of a tensor whose size depends on its values, such as a tensor of strings.
  Status ResizeTensorBytes(int tensor_index, int subgraph_index, size_t size_bytes);
  // Resets the model's state: variable tensors, resource variables, tables.
  Status ResetState();
  // Resets the variable tensors only, as TFLite's reset_all_variables() does.
  Status ResetVariables();

  // A part of the content of a graph's constant, until the next call: content that is created when it is read is then
  // freed. Null for an address of no constant.
  const uint8_t* ConstantData(int64_t address, size_t size_bytes) { return constants_.At(address, size_bytes, steps_); }
  // Null when an index is out of range.
  TfLiteTensor* tensor(int index, int subgraph_index) const;
  // Points an input or output of a subgraph at other memory of the same size, for one run: exchange it back before
  // anything is resized. Returns the memory that it had. Returns null and does nothing if TFLite may move the tensor
  // during the run, or it is a constant.
  char* ExchangeTensorData(int index, int subgraph_index, char* data) const;

  // Where XNNPACK reorders weights in the model's bytes, these may be read between UseFileOrder(true) and
  // UseFileOrder(false) only, with no run meanwhile.
  void UseFileOrder(bool is_file_order) const { weights_in_place_.UseOwnOrder(is_file_order); }

  const Model& file() const { return file_; }
  const TFLiteWebModelRunnerOptions& options() const { return options_; }
  const LoadConstraints& constraints() const { return constraints_; }
  const Interpreter& interpreter() const { return *interpreter_; }
  // The subgraph that option main_subgraph names.
  int main_subgraph() const { return options_.main_subgraph; }
  Subgraph& subgraph() const { return *interpreter_->subgraph(main_subgraph()); }
  // The main subgraph's inputs and outputs without those of variables().
  std::vector<int> inputs() const;
  std::vector<int> outputs() const;
  const std::vector<PlanStep>& steps() const { return steps_; }
  const PartitionReport& report() const { return report_; }
  // The threads that XNNPACK computes with.
  int threads() const { return threads_; }
  // The variables that the caller keeps.
  const Variables& variables() const { return rewrites_.variables; }
  // The nodes that XNNPACK failed to prepare, at load and in the latest run.
  std::vector<XnnpackExclusions::Node> xnnpack_exclusions() const;

 private:
  friend class Loader;

  const Model& file_;
  const TFLiteWebModelRunnerOptions& options_;
  const LoadConstraints& constraints_;
  CollectingReporter& reporter_;
  NodeProfiler* profiler_ = nullptr;  // null unless profiling is enabled
  WeightsInPlace weights_in_place_;
  // Delegates and rewrites must outlive the interpreter, so they are declared before it.
  PackedWeights packed_weights_;
  Interpreter::TfLiteDelegatePtr webnn_delegate_{nullptr, nullptr};
  Interpreter::TfLiteDelegatePtr xnnpack_delegate_{nullptr, nullptr};
  std::unique_ptr<XnnpackPartitions> xnnpack_partitions_;
  Rewrites rewrites_;
  std::unique_ptr<Interpreter> interpreter_;
  std::set<int> allocated_subgraphs_;
  bool is_delegated_ = false;
  // Whether an input of the main subgraph had no elements when the delegates were applied.
  bool is_empty_ = false;
  bool was_invoked_ = false;
  int threads_ = 1;
  std::vector<PlanStep> steps_;
  ConstantReader constants_;
  PartitionReport report_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_SESSION_H_
