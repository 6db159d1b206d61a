#ifndef TFLITE_WEBNN_RUNTIME_DESCRIBE_DESCRIPTION_H_
#define TFLITE_WEBNN_RUNTIME_DESCRIBE_DESCRIPTION_H_

#include <string>

#include "runtime/execute/session.h"

namespace tflite::webnn {

// A loaded model as JSON, for JavaScript: inputs, outputs, signatures, where each node runs and why, the
// plan, and the WebNN graphs. js/packages/core/src/description.ts has its types.
std::string DescribeModel(const Session& session);

// Its `xnnpack`, as it is after the latest run.
std::string DescribeXnnpack(const Session& session);

// The collected times as JSON: [{"op":...,"name":...,"node":3,"subgraph":0,"ms":0.5},...].
std::string DescribeTimes(const NodeProfiler& profiler, const Interpreter& interpreter);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_DESCRIBE_DESCRIPTION_H_
