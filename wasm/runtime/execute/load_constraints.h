#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_LOAD_CONSTRAINTS_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_LOAD_CONSTRAINTS_H_

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/xnnpack/exclusions.h"

namespace tflite::webnn {

// Why a model is built again, otherwise.
namespace retry {
struct WebnnNotApplied {  // the WebNN delegate was not applied
  std::string error;
  bool is_faster_on_cpu;
};
struct DynamicTensors {};   // WebNN must run nodes before those that write them
struct ReorderedIsRead {};  // a node that no delegate took reads weights that XNNPACK would reorder
struct XnnpackFailed {      // XNNPACK could not prepare these nodes
  int subgraph;             // XnnpackExclusions::kAll where TFLite does not say which one failed
  std::vector<int> nodes;   // all of the subgraph's if empty
  std::string reason;
};
}  // namespace retry

using RetryReason =
    std::variant<retry::WebnnNotApplied, retry::DynamicTensors, retry::ReorderedIsRead, retry::XnnpackFailed>;

// What the file and attempts to load it have shown; the next one keeps to it.
struct LoadConstraints {
  std::string webnn_error;        // why the enabled WebNN delegate is not applied; empty otherwise
  bool is_faster_on_cpu = false;  // the cost rule is the reason
  bool has_dynamic_tensors = false;
  bool reordered_is_read = false;
  XnnpackExclusions xnnpack_exclusions;
  bool calls_signatures = false;  // each subgraph of a signature runs only as the main one

  // False if it is known already, so another attempt would end like the last.
  bool Add(const RetryReason& reason);
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_LOAD_CONSTRAINTS_H_
