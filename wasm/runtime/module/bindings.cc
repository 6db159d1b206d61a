// The C functions that JavaScript calls (js/packages/core/src/wasm/wasm_runner.ts). Strings are UTF-8; those
// returned live until the next call of the same function with the same runner.
#include <emscripten.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "delegate/delegate_options.h"
#include "delegate/ops/op_registry.h"
#include "runtime/describe/description.h"
#include "runtime/describe/subgraph_description.h"
#include "runtime/describe/tensor_description.h"
#include "runtime/execute/node_profiler.h"
#include "runtime/module/tflite_web_model_runner.h"
#include "runtime/validate/budget.h"
#include "support/json_writer.h"

namespace {

using tflite::webnn::DescribeTimes;
using tflite::webnn::NodeProfiler;
using tflite::webnn::Session;
using tflite::webnn::Status;
using tflite::webnn::TFLiteWebModelRunner;

struct Runner {
  TFLiteWebModelRunner runner;
  bool initialized = false;
  std::string error;
  std::string description;
  std::string profile;
  std::string shape;
  std::string tensors;
  std::string nodes;
  std::string xnnpack;
  std::string updates_in_place;

  // What describe(session) returns, kept in `text`; "" before a successful init, or with an error if it is too long.
  template <typename Describe>
  const char* Keep(std::string& text, Describe describe) {
    if (!initialized) return "";
    text = describe(runner.session());
    const std::string limit = std::to_string(tflite::webnn::JsonWriter::kMaxBytes);
    if (text.empty()) {
      Record({tflite::webnn::error_code::kMalformedModel,
              "the model's names, shapes and nodes are too many to describe: they take more than " + limit + " bytes"});
    }
    return text.c_str();
  }

  // Null for an index that does not exist, and before a successful init.
  const TfLiteTensor* Tensor(int tensor, int subgraph) const {
    return initialized ? runner.session().tensor(tensor, subgraph) : nullptr;
  }

  // Returns 0 for success.
  int Record(const Status& result) {
    error = result.ToJson();
    return result.ok() ? 0 : 1;
  }

  // Records what a call returns that loads or resizes the model.
  template <typename Call>
  int Load(Call call) {
    const tflite::webnn::LoadScope scope;
    const Status result = call();
    const Status limits = tflite::webnn::ValidateLoad(scope);
    return Record(result.ok() || limits.ok() ? result : limits);
  }
};

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE Runner* tflite_runner_create() { return new Runner; }

EMSCRIPTEN_KEEPALIVE void tflite_runner_delete(Runner* runner) { delete runner; }

EMSCRIPTEN_KEEPALIVE int tflite_runner_set_option(Runner* runner, const char* key, const char* value) {
  return runner->Record(runner->runner.options().Set(key, value));
}

// For reorder_weights: before the model's bytes are read, and after.
EMSCRIPTEN_KEEPALIVE void tflite_runner_use_file_order(Runner* runner, int is_file_order) {
  if (runner->initialized) runner->runner.session().UseFileOrder(is_file_order != 0);
}

// The bytes passed to init; the runner owns them.
EMSCRIPTEN_KEEPALIVE const uint8_t* tflite_runner_model_data(Runner* runner) {
  return runner->runner.loader().model_data();
}

// Takes ownership of the malloc'ed buffer, even on failure, unless it is borrowed: then it must outlive the runner.
EMSCRIPTEN_KEEPALIVE int tflite_runner_init(Runner* runner, uint8_t* model, uint32_t size_bytes, int is_borrowed) {
  const auto keep = [](void*) {};
  const int status =
      runner->Load([&] { return runner->runner.InitFromBuffer({model, is_borrowed != 0 ? keep : free}, size_bytes); });
  runner->initialized = status == 0;
  return status;
}

EMSCRIPTEN_KEEPALIVE const char* tflite_runner_error(Runner* runner) { return runner->error.c_str(); }

EMSCRIPTEN_KEEPALIVE const char* tflite_runner_description(Runner* runner) {
  return runner->Keep(runner->description, tflite::webnn::DescribeModel);
}

// Where the content of a graph's constant lies, or a part of it, by its address in the description. It may lie there
// until the next call.
EMSCRIPTEN_KEEPALIVE const uint8_t* tflite_runner_constant(Runner* runner, double address, uint32_t size_bytes) {
  return runner->runner.session().ConstantData(static_cast<int64_t>(address), size_bytes);
}

EMSCRIPTEN_KEEPALIVE int tflite_runner_invoke(Runner* runner) { return runner->Record(runner->runner.Invoke()); }

EMSCRIPTEN_KEEPALIVE int tflite_runner_invoke_steps(Runner* runner, int first, int count) {
  return runner->Record(runner->runner.session().InvokeSteps(first, count));
}

EMSCRIPTEN_KEEPALIVE int tflite_runner_allocate_subgraph(Runner* runner, int subgraph) {
  return runner->Load([&] { return runner->runner.loader().AllocateSubgraph(subgraph); });
}

EMSCRIPTEN_KEEPALIVE int tflite_runner_invoke_subgraph(Runner* runner, int subgraph) {
  return runner->Record(runner->runner.session().InvokeSubgraph(subgraph));
}

EMSCRIPTEN_KEEPALIVE int tflite_runner_reset_state(Runner* runner) {
  return runner->Record(runner->runner.session().ResetState());
}

// Null for an index that does not exist. The main subgraph is 0.
EMSCRIPTEN_KEEPALIVE char* tflite_runner_tensor_data(Runner* runner, int tensor, int subgraph) {
  const TfLiteTensor* found = runner->Tensor(tensor, subgraph);
  return found ? found->data.raw : nullptr;
}

EMSCRIPTEN_KEEPALIVE uint32_t tflite_runner_tensor_size_bytes(Runner* runner, int tensor, int subgraph) {
  const TfLiteTensor* found = runner->Tensor(tensor, subgraph);
  return found ? static_cast<uint32_t>(found->bytes) : 0;
}

// JSON: a tensor's current shape, which a run may change; "" for an index that does not exist.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_tensor_shape(Runner* runner, int tensor, int subgraph) {
  const TfLiteTensor* found = runner->Tensor(tensor, subgraph);
  runner->shape.clear();
  if (found != nullptr) {
    tflite::webnn::JsonWriter json;
    json.Value(tflite::webnn::ElementsOf(found->dims));
    runner->shape = json.Take();
  }
  return runner->shape.c_str();
}

EMSCRIPTEN_KEEPALIVE int tflite_runner_resize_tensor_bytes(Runner* runner, int tensor, int subgraph,
                                                           uint32_t size_bytes) {
  return runner->Record(runner->runner.session().ResizeTensorBytes(tensor, subgraph, size_bytes));
}

// Returns where the tensor's values were; null if its memory cannot be exchanged.
EMSCRIPTEN_KEEPALIVE char* tflite_runner_exchange_tensor_data(Runner* runner, int tensor, int subgraph, char* data) {
  return runner->runner.session().ExchangeTensorData(tensor, subgraph, data);
}

// JSON; subgraph_description.h has the format.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_describe_updates_in_place(Runner* runner, int subgraph) {
  return runner->Keep(runner->updates_in_place,
                      [=](const Session& session) { return DescribeUpdatesInPlace(session, subgraph); });
}

EMSCRIPTEN_KEEPALIVE int tflite_runner_subgraph_count(Runner* runner) {
  return runner->initialized ? static_cast<int>(runner->runner.session().interpreter().subgraphs_size()) : 0;
}

// JSON; subgraph_description.h has the format.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_describe_tensors(Runner* runner, int subgraph) {
  return runner->Keep(runner->tensors, [=](const Session& session) { return DescribeTensors(session, subgraph); });
}

EMSCRIPTEN_KEEPALIVE const char* tflite_runner_describe_nodes(Runner* runner, int subgraph) {
  return runner->Keep(runner->nodes, [=](const Session& session) { return DescribeNodes(session, subgraph); });
}

// JSON: the description's `xnnpack`, as it is after the latest run.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_describe_xnnpack(Runner* runner) {
  return runner->Keep(runner->xnnpack, tflite::webnn::DescribeXnnpack);
}

// `shape` is "1,224,224,3", or "" for a scalar. Allocate the subgraph again afterwards.
EMSCRIPTEN_KEEPALIVE int tflite_runner_resize_input(Runner* runner, int tensor, int subgraph, const char* shape,
                                                    int strict) {
  return runner->Record(runner->runner.loader().ResizeInput(tensor, subgraph, shape, strict != 0));
}

EMSCRIPTEN_KEEPALIVE int tflite_runner_reset_variables(Runner* runner) {
  return runner->Record(runner->runner.session().ResetVariables());
}

// JSON: the times of the nodes run since the last call.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_profile(Runner* runner) {
  NodeProfiler* profiler = runner->runner.loader().profiler();
  if (!runner->initialized || profiler == nullptr) return "[]";
  runner->profile = DescribeTimes(*profiler, runner->runner.session().interpreter());
  profiler->Clear();
  return runner->profile.c_str();
}

// JSON: what the delegate supports of each builtin op.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_describe_ops() {
  static const std::string description = tflite::webnn::DescribeOps();
  return description.c_str();
}

// JSON: the delegate's options.
EMSCRIPTEN_KEEPALIVE const char* tflite_runner_describe_delegate_options() {
  static const std::string description = tflite::webnn::DescribeDelegateOptions();
  return description.c_str();
}

}  // extern "C"
