#include "runtime/xnnpack/threads.h"

#include <algorithm>

#include "delegate/cost/op_cost.h"
#include "runtime/xnnpack/delegate_contexts.h"
#include "tensorflow/lite/external_cpu_backend_context.h"

namespace tflite::webnn {
namespace {

// What more threads cost: to wake them for a run, and to wait for the last one in each operator.
constexpr double kWakeMs = 0.02;
constexpr double kWaitMs = 0.005;
// What a second one saves of the time on one: less than half, because estimates err.
constexpr double kSavedShare = 0.4;

double SavedMs(Subgraph& graph) {
  const DelegateContext readable(graph.context(), graph.execution_plan());
  return kSavedShare * CpuMs(graph.context()) - kWaitMs * static_cast<double>(graph.execution_plan().size());
}

TfLiteExternalContext* SharedPool(TfLiteContext*, TfLiteExternalContextType) {
  static auto* pool = new ExternalCpuBackendContext;  // it ends with the instance
  return pool;
}

}  // namespace

int ThreadsThatPay(Interpreter& interpreter, int available) {
  double saved_ms = -kWakeMs;
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    saved_ms += std::max(SavedMs(*interpreter.subgraph(static_cast<int>(i))), 0.0);
  }
  return saved_ms > 0 ? available : 1;
}

TfLiteDelegate* CreateXnnpackDelegate(const TfLiteXNNPackDelegateOptions& options, const TfLiteContext& context) {
  if (options.num_threads <= 1) return TfLiteXNNPackDelegateCreate(&options);
  TfLiteContext with_pool = context;
  with_pool.GetExternalContext = SharedPool;
  with_pool.recommended_num_threads = options.num_threads;
  return TfLiteXNNPackDelegateCreateWithThreadpool(&options, &with_pool);
}

}  // namespace tflite::webnn
