#ifndef TFLITE_WEBNN_RUNTIME_XNNPACK_KERNEL_MEMORY_H_
#define TFLITE_WEBNN_RUNTIME_XNNPACK_KERNEL_MEMORY_H_

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// Lets TFLite's kernels run the nodes of a delegated partition: TFLite's arena has no memory for what lies between
// them.
class KernelMemory {
 public:
  // For tensors of `nodes` that are neither inputs nor outputs of `partition`, which replaced them.
  void Reserve(TfLiteContext* context, const std::vector<int>& nodes, const TfLiteNode& partition);
  // Keeps that of persistent tensors: kernels fill them, such as unpacked constants, only once.
  void FreeTemporaries(TfLiteContext* context);
  // After Reserve() and the nodes' preparation.
  TfLiteStatus Invoke(TfLiteContext* context, const std::vector<int>& nodes);

 private:
  struct Block {
    size_t size;
    std::unique_ptr<char[]> bytes;
  };
  std::map<int, Block> blocks_;  // by tensor
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_XNNPACK_KERNEL_MEMORY_H_
