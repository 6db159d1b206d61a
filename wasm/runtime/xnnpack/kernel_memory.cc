#include "runtime/xnnpack/kernel_memory.h"

#include <set>

#include "runtime/rewrite/mutable_node.h"
#include "runtime/xnnpack/delegate_contexts.h"
#include "third_party/compat/include/empty_results.h"

namespace tflite::webnn {

void KernelMemory::Reserve(TfLiteContext* context, const std::vector<int>& nodes, const TfLiteNode& partition) {
  std::set<int> inner;
  for (int node_index : nodes) {
    const TfLiteNode& each = GraphOf(context).node_and_registration(node_index)->first;
    for (const TfLiteIntArray* list : {each.outputs, each.temporaries}) {
      if (list != nullptr) inner.insert(list->data, list->data + list->size);
    }
  }
  for (int tensor : ListOf(*partition.inputs)) inner.erase(tensor);
  for (int tensor : ListOf(*partition.outputs)) inner.erase(tensor);
  for (int tensor : inner) {
    const TfLiteTensor& each = context->tensors[tensor];
    if (each.allocation_type != kTfLiteArenaRw && each.allocation_type != kTfLiteArenaRwPersistent) continue;
    const auto found = blocks_.find(tensor);
    if (found != blocks_.end() && found->second.size == each.bytes) continue;
    blocks_[tensor] = {each.bytes, std::make_unique<char[]>(each.bytes + 16)};
  }
}

void KernelMemory::FreeTemporaries(TfLiteContext* context) {
  std::erase_if(blocks_, [context](const auto& entry) {
    return context->tensors[entry.first].allocation_type != kTfLiteArenaRwPersistent;
  });
}

TfLiteStatus KernelMemory::Invoke(TfLiteContext* context, const std::vector<int>& nodes) {
  for (const auto& [index, own] : blocks_) {
    TfLiteTensor& tensor = context->tensors[index];
    tensor.bytes = own.size;  // TFLite clears temporary tensors of delegated nodes
    tensor.data.raw = own.bytes.get();
  }
  for (int node_index : nodes) {
    auto& [node, registration] = MutableNode(GraphOf(context), node_index);
    if (HasNothingToCompute(*context, node)) continue;
    TF_LITE_ENSURE_OK(context, registration.invoke(context, &node));
  }
  return kTfLiteOk;
}

}  // namespace tflite::webnn
