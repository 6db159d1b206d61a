// Replaces the delegate in a module without WebNN: the functions that the runner calls, with empty results.
#include <cstdlib>
#include <limits>

#include "delegate/cost/op_cost.h"
#include "delegate/graph/webnn_graph.h"
#include "delegate/ops/op_registry.h"
#include "delegate/webnn_delegate.h"
#include "delegate/webnn_delegate_impl.h"

TfLiteWebnnDelegateOptions TfLiteWebnnDelegateOptionsDefault() { return {}; }

TfLiteDelegate* TfLiteWebnnDelegateCreate(const TfLiteWebnnDelegateOptions* options) {
  if (options != nullptr && options->reportError != nullptr) {
    options->reportError("this module was built without the WebNN delegate (--without-webnn)");
  }
  return nullptr;
}

void TfLiteWebnnDelegateDelete(TfLiteDelegate*) {}

namespace tflite::webnn {

std::string DescribeOps() { return "[]"; }

double CpuMs(TfLiteContext*) { return std::numeric_limits<double>::infinity(); }

// Unreachable: without WebNN there is no delegate and no graph.
WebnnDelegate& GetWebnnDelegate(TfLiteDelegate*) { std::abort(); }
void WebnnGraph::WriteJson(JsonWriter&) const { std::abort(); }

}  // namespace tflite::webnn
