#include "runtime/execute/load_constraints.h"

namespace tflite::webnn {
namespace {

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace

bool LoadConstraints::Add(const RetryReason& reason) {
  return std::visit(Overloaded{
                        [this](const retry::WebnnNotApplied& webnn) {
                          is_faster_on_cpu = webnn.is_faster_on_cpu;
                          return std::exchange(webnn_error, webnn.error).empty();
                        },
                        [this](const retry::DynamicTensors&) { return !std::exchange(has_dynamic_tensors, true); },
                        [this](const retry::ReorderedIsRead&) { return !std::exchange(reordered_is_read, true); },
                        [this](const retry::XnnpackFailed& xnnpack) {
                          return xnnpack_exclusions.Add(xnnpack.subgraph, xnnpack.nodes, xnnpack.reason);
                        },
                    },
                    reason);
}

}  // namespace tflite::webnn
