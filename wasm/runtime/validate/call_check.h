#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_CALL_CHECK_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_CALL_CHECK_H_

#include <cstdint>
#include <set>
#include <string>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// Why TensorFlow Lite could not prepare the calls of subgraphs by nodes: WHILE, IF, CALL_ONCE, composites. Empty if it
// can. The graphs themselves must be checked already. Kernels refuse subgraphs that do not exist.
std::string CallProblem(const Model& model);

// The op codes, by index, of nodes that can run: those of the main subgraph, of signatures' subgraphs, and of subgraphs
// that these call. The graphs need not be checked.
std::set<int64_t> RunnableOpCodes(const Model& model);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_CALL_CHECK_H_
