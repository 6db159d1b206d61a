#ifndef TFLITE_WEBNN_RUNNER_RESOURCES_H_
#define TFLITE_WEBNN_RUNNER_RESOURCES_H_

#include <set>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

// Whether an op uses TFLite's tables.
bool IsOfTables(int builtin_code);

// Whether nodes use variables or tables of TFLite, in subgraphs other than these.
bool HasResources(const Interpreter& interpreter, const std::set<int>& unused = {});

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_RESOURCES_H_
