#include "runtime/rewrite/subgraph_copy.h"

#include <algorithm>
#include <cstdlib>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/api/flatbuffer_conversions.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tflite::webnn {
namespace {

class MallocAllocator : public BuiltinDataAllocator {
 public:
  void* Allocate(size_t size_bytes, size_t) override { return std::malloc(size_bytes); }
  void Deallocate(void* data) override { std::free(data); }
};

}  // namespace

int SubgraphCopy::Tensor(int source_tensor) {
  if (source_tensor < 0) return source_tensor;
  const auto known = tensors_.find(source_tensor);
  if (known != tensors_.end()) return known->second;
  int added = -1;
  graph_.AddTensors(1, &added);
  *graph_.tensor(added) = TfLiteTensorClone(*source_.tensor(source_tensor));
  tensors_[source_tensor] = added;
  if (graph_.tensor(added)->quantization.type == kTfLiteBlockwiseQuantization) {
    auto* blocks = static_cast<TfLiteBlockwiseQuantization*>(graph_.tensor(added)->quantization.params);
    blocks->scale = Tensor(blocks->scale);
    blocks->zero_point = Tensor(blocks->zero_point);
  }
  return added;
}

int SubgraphCopy::AppendNode(int index) {
  const auto& [node, registration] = *source_.node_and_registration(index);
  void* options = nullptr;
  MallocAllocator allocator;
  const auto builtin_code = static_cast<BuiltinOperator>(registration.builtin_code);
  if (builtin_code != BuiltinOperator_CUSTOM) {  // parsed before, so it cannot fail
    ParseOpData(operators_.Get(index), builtin_code, DefaultErrorReporter(), &allocator, &options);
  }
  int added = -1;
  graph_.AddNodeWithParameters(Tensors(*node.inputs), Tensors(*node.outputs), Tensors(*node.intermediates),
                               static_cast<const char*>(node.custom_initial_data), node.custom_initial_data_size,
                               options, &registration, &added);
  return added;
}

void SubgraphCopy::StartAgain() {
  std::erase_if(tensors_,
                [this](const auto& pair) { return source_.tensor(pair.first)->allocation_type != kTfLiteMmapRo; });
}

bool GeneratesRandomNumbers(const Subgraph& graph) {
  return std::any_of(graph.execution_plan().begin(), graph.execution_plan().end(), [&graph](int node_index) {
    const int code = graph.node_and_registration(node_index)->second.builtin_code;
    return code == kTfLiteBuiltinRandomUniform || code == kTfLiteBuiltinRandomStandardNormal ||
           code == kTfLiteBuiltinMultinomial;
  });
}

std::vector<int> SubgraphCopy::Tensors(const TfLiteIntArray& indices) {
  std::vector<int> tensors;
  for (int index : TfLiteIntArrayView(&indices)) tensors.push_back(Tensor(index));
  return tensors;
}

}  // namespace tflite::webnn
