#ifndef TFLITE_WEBNN_DELEGATE_OPS_ARG_H_
#define TFLITE_WEBNN_DELEGATE_OPS_ARG_H_

#include <vector>

#include "delegate/builder/graph_builder.h"

namespace tflite::webnn {

// Emits argMax or argMin along an axis. The result has `shape`, which may keep the axis.
Operand EmitArg(const char* method, Operand input, int axis, DataType type, const std::vector<int>& shape,
                GraphBuilder& builder);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_OPS_ARG_H_
