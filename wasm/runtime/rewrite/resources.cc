#include "runtime/rewrite/resources.h"

#include <algorithm>

#include "runtime/rewrite/mutable_node.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {

std::map<int, VariableHandle> VariableHandlesOf(const Subgraph& graph) {
  std::map<int, VariableHandle> handles;
  for (int node_index : graph.execution_plan()) {
    const auto& [node, registration] = *graph.node_and_registration(node_index);
    if (registration.builtin_code != kTfLiteBuiltinVarHandle || node.outputs->size != 1) continue;
    const auto& params = *static_cast<const TfLiteVarHandleParams*>(node.builtin_data);
    const char* name = params.shared_name ? params.shared_name : "";
    handles[node.outputs->data[0]] = {{params.container ? params.container : "", name}, name};
  }
  return handles;
}

std::set<VariableKey> VariablesReadFirst(Interpreter& interpreter) {
  std::set<VariableKey> found;
  for (int i = 0; i < static_cast<int>(interpreter.subgraphs_size()); ++i) {
    const Subgraph& graph = *interpreter.subgraph(i);
    const std::map<int, VariableHandle> handles = VariableHandlesOf(graph);
    std::set<VariableKey> assigned;
    for (int node_index : graph.execution_plan()) {
      const auto& [node, registration] = *graph.node_and_registration(node_index);
      if (registration.builtin_code == kTfLiteBuiltinCallOnce) break;
      const auto handle = node.inputs->size > 0 ? handles.find(node.inputs->data[0]) : handles.end();
      if (handle == handles.end()) continue;
      const VariableKey& key = handle->second.key;
      if (registration.builtin_code == kTfLiteBuiltinAssignVariable) assigned.insert(key);
      if (registration.builtin_code == kTfLiteBuiltinReadVariable && !assigned.contains(key)) found.insert(key);
    }
  }
  return found;
}

bool MayRunEarly(const Subgraph& graph) {
  for (int node_index : graph.execution_plan()) {
    const auto& [node, registration] = *graph.node_and_registration(node_index);
    const TfLiteIntArray& inputs = *node.inputs;
    const bool reads_strings = std::any_of(inputs.data, inputs.data + inputs.size, [&graph](int input) {
      return input >= 0 && graph.tensor(input)->type == kTfLiteString;
    });
    const int code = registration.builtin_code;
    if (reads_strings || HasTrait(code, OpTrait::kHashtable) || HasTrait(code, OpTrait::kCaller)) return false;
  }
  return true;
}

uint64_t WrittenBytes(const Subgraph& graph) {
  uint64_t size_bytes = 0;
  for (size_t i = 0; i < graph.tensors_size(); ++i) {
    const TfLiteTensor& tensor = *graph.tensor(static_cast<int>(i));
    if (tensor.allocation_type != kTfLiteMmapRo) size_bytes += tensor.bytes;
  }
  return size_bytes;
}

bool HasResources(const Interpreter& interpreter, const std::set<int>& unused) {
  for (int i = 0; i < static_cast<int>(interpreter.subgraphs_size()); ++i) {
    if (unused.count(i)) continue;
    const Subgraph& graph = *interpreter.subgraph(i);
    for (int node_index : graph.execution_plan()) {
      const int code = graph.node_and_registration(node_index)->second.builtin_code;
      if (code == kTfLiteBuiltinVarHandle || code == kTfLiteBuiltinCallOnce || HasTrait(code, OpTrait::kHashtable)) {
        return true;
      }
    }
  }
  return false;
}

void KeepOrderOfStates(Interpreter& interpreter) {
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    Subgraph& graph = *interpreter.subgraph(static_cast<int>(i));
    std::map<int, std::set<int>> users;
    for (int node_index : graph.execution_plan()) {
      const TfLiteNode& node = graph.node_and_registration(node_index)->first;
      for (const TfLiteIntArray* tensors : {node.inputs, node.outputs}) {
        for (int tensor : TfLiteIntArrayView(tensors)) {
          if (tensor >= 0 && graph.tensor(tensor)->is_variable) users[tensor].insert(node_index);
        }
      }
    }
    for (const auto& [tensor, nodes] : users) {
      for (int node_index : nodes) {
        if (nodes.size() > 1) MutableNode(graph, node_index).first.might_have_side_effect = true;
      }
    }
  }
}

}  // namespace tflite::webnn
