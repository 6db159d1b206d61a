#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_LOADER_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_LOADER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/execute/collecting_reporter.h"
#include "runtime/execute/load_constraints.h"
#include "runtime/execute/session.h"
#include "runtime/execute/tflite_web_model_runner_options.h"
#include "support/status.h"
#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/core/interpreter_builder.h"
#include "tensorflow/lite/core/model_builder.h"

namespace tflite::webnn {

using ModelBytes = std::unique_ptr<uint8_t[], void (*)(void*)>;

// Loads a model: validates the file, builds an interpreter, rewrites its graphs, applies the delegates, allocates the
// tensors, and plans the steps. What fails is tried again under more constraints.
class Loader {
 public:
  explicit Loader(const TFLiteWebModelRunnerOptions& options) : options_(options) {}

  // Loads the model, with defer_allocation only up to its inputs. Call once.
  Status Load(ModelBytes bytes, size_t size_bytes, const OpResolver& resolver);
  // Allocates a subgraph so that a signature can invoke it: a subgraph other than the main one or, with
  // defer_allocation, also the main one. A second call does nothing unless an input was resized.
  Status AllocateSubgraph(int subgraph_index);
  // Changes the shape of an input: "1,224,224,3", or "" for a scalar. Allocate its subgraph again afterwards. If
  // `strict`, only dimensions that the model leaves open may change. In the main subgraph this needs defer_allocation
  // and, with WebNN, must precede the first allocation; otherwise it fails with INVALID_INPUT_SHAPE. If the shape does
  // not fit, the message is TFLite's.
  Status ResizeInput(int tensor_index, int subgraph_index, std::string_view shape, bool strict);

  // Null before Load() has built an interpreter. Another one after AllocateSubgraph() or ResizeInput().
  Session* session() const { return session_.get(); }
  const uint8_t* model_data() const { return bytes_.get(); }
  // Null unless profiling is enabled.
  NodeProfiler* profiler() const { return profiler_.get(); }

 private:
  // How an attempt ended. With a reason, the next one may end better.
  struct Outcome {
    Status status;
    std::optional<RetryReason> reason;
  };

  int main_subgraph() const { return options_.main_subgraph; }
  Subgraph& subgraph() const { return session_->subgraph(); }

  // Builds and rewrites the interpreter, in a new session.
  Status BuildSession();
  Status ResizeInputs();
  // Prepares the main subgraph, and those that were allocated, until an attempt has no reason for another. The first
  // one uses the session as it is unless `rebuild`.
  Status Prepare(bool rebuild);
  Outcome Attempt();
  Outcome ApplyDelegates();
  Outcome ApplyWebnnDelegate();
  // Applies the WebNN delegate to an interpreter with dynamic tensors, after it has moved the nodes that write them.
  TfLiteStatus ApplyAmongDynamicTensors();
  // The threads that XNNPACK computes the model with.
  int ThreadCount();
  Outcome ApplyXnnpackDelegate();
  void ReportPlacement(const std::vector<int>& model_nodes);
  // The reason to leave nodes of a subgraph (an index, or kAll) to TFLite's kernels; none if XNNPACK is not the cause.
  std::optional<RetryReason> XnnpackFailure(int subgraph_index, const Status& status);

  // Allocates the main subgraph.
  Status AllocateMain();
  // Whether rewrites relied on other shapes than those of inputs that were resized after the delegates were applied. An
  // error if the kernels do not accept these.
  StatusOr<bool> HasOtherShapes();
  // Rejects the subgraph of a signature that cannot run in this interpreter.
  Status ValidateSignature(int subgraph_index) const;
  // Makes the model usable again after a subgraph could not be allocated with its new shapes. Returns `error`, with a
  // note if the model's state was lost.
  Status Restore(int subgraph_index, Status error);

  const TFLiteWebModelRunnerOptions& options_;
  const OpResolver* resolver_ = nullptr;
  CollectingReporter reporter_;
  ModelBytes bytes_{nullptr, free};
  std::unique_ptr<FlatBufferModel> model_;
  std::unique_ptr<NodeProfiler> profiler_;
  LoadConstraints constraints_;
  // Shapes by subgraph and tensor, for the next session.
  std::map<std::pair<int, int>, std::vector<int>> resized_inputs_;
  // Whether an input of the main subgraph was resized since its tensors were allocated.
  bool is_resized_ = false;
  std::unique_ptr<Session> session_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_LOADER_H_
