// In place of the delegate, in a module without WebNN: what the runner asks of it, with nothing to tell.
#include <cstdlib>

#include "delegate/op_registry.h"
#include "delegate/webnn_delegate.h"
#include "delegate/webnn_delegate_impl.h"
#include "delegate/webnn_graph.h"

TfLiteWebnnDelegateOptions TfLiteWebnnDelegateOptionsDefault() { return {}; }

TfLiteDelegate* TfLiteWebnnDelegateCreate(const TfLiteWebnnDelegateOptions*) { return nullptr; }

void TfLiteWebnnDelegateDelete(TfLiteDelegate*) {}

namespace tflite::webnn {

std::string DescribeOps() { return "[]"; }

// Of a delegate and of a graph that nobody can have made.
WebnnDelegate& GetWebnnDelegate(TfLiteDelegate*) { std::abort(); }
void WebnnGraph::WriteJson(JsonWriter&) const { std::abort(); }

}  // namespace tflite::webnn
