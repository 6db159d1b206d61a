#ifndef TFLITE_WEBNN_RUNTIME_DESCRIBE_DESCRIPTION_H_
#define TFLITE_WEBNN_RUNTIME_DESCRIBE_DESCRIPTION_H_

#include <string>

#include "runtime/execute/tflite_web_model_runner.h"

namespace tflite::webnn {

// A loaded model as JSON, for JavaScript: inputs, outputs, signatures, where each node runs and why, the
// plan, and the WebNN graphs. js/runtime/src/description.ts has its types.
std::string DescribeModel(const TFLiteWebModelRunner& runner);

// Its `xnnpack`, as it is after the latest run.
std::string DescribeXnnpack(const TFLiteWebModelRunner& runner);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_DESCRIBE_DESCRIPTION_H_
