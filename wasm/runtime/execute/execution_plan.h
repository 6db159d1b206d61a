#ifndef TFLITE_WEBNN_RUNTIME_EXECUTE_EXECUTION_PLAN_H_
#define TFLITE_WEBNN_RUNTIME_EXECUTE_EXECUTION_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "delegate/webnn_delegate_kernel.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite::webnn {

// One step of stepped execution: a WebNN partition, or a run of entries that TFLite invokes.
struct PlanStep {
  const WebnnDelegateKernel* kernel = nullptr;  // null for a CPU step
  int first = 0;                                // position in the execution plan
  int count = 1;
  // Tensors that cross the step's boundary: those it reads from earlier steps and those it writes, without
  // constants and a CPU step's own intermediates.
  std::vector<int> inputs;
  std::vector<int> outputs;
};

// The subgraph's execution plan as steps. The kernels belong to the subgraph.
std::vector<PlanStep> StepsOf(Subgraph& subgraph);

// An output that DYNAMIC_UPDATE_SLICE computes of an input that nothing else reads later: where both are in the same
// memory, TFLite's kernel changes only the slice.
struct UpdateInPlace {
  int input;
  int output;
};

std::vector<UpdateInPlace> UpdatesInPlace(const Subgraph& subgraph);

// Reads the constants of the steps' graphs, and holds the last part of those that are created when they are read.
class ConstantReader {
 public:
  // The content from an address on; null for an address of no constant.
  const uint8_t* At(int64_t address, size_t size_bytes, const std::vector<PlanStep>& steps);

 private:
  std::vector<uint8_t> generated_;
  int64_t generated_address_ = 0;
};

// The WebNN kernel of a plan entry, or null for a CPU node.
const WebnnDelegateKernel* WebnnKernelOf(const TfLiteNode& node, const TfLiteRegistration& registration);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_EXECUTE_EXECUTION_PLAN_H_
