#include "delegate/model/unknown_shapes.h"

#include <algorithm>
#include <vector>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

// RESHAPE reports that it needs a computed shape, and leaves the file's on its result.
bool ReshapesToComputedShape(const Subgraph& subgraph, int node_index) {
  const auto& [node, kernel] = *subgraph.node_and_registration(node_index);
  return kernel.builtin_code == kTfLiteBuiltinReshape && node.inputs->size == 2 && node.inputs->data[1] >= 0 &&
         !IsConstantOrPersistentTensor(subgraph.tensor(node.inputs->data[1]));
}

// Calls visit(node index, whether it writes tensors of unknown shape).
template <typename Visitor>
std::set<int> VisitNodes(const Subgraph& subgraph, Visitor visit) {
  std::set<int> unknown;
  bool has_unknown_side_effect = false;
  for (int node_index : subgraph.execution_plan()) {
    const TfLiteNode& node = subgraph.node_and_registration(node_index)->first;
    // The kernel of a WHILE leaves out results that nothing reads.
    const auto reads = [&unknown](int tensor) { return tensor >= 0 && unknown.count(tensor) > 0; };
    const auto allocates = [&subgraph](int tensor) {
      return tensor >= 0 && subgraph.tensor(tensor)->allocation_type == kTfLiteDynamic;
    };
    const TfLiteIntArray &inputs = *node.inputs, &outputs = *node.outputs;
    const bool is_unknown = ReshapesToComputedShape(subgraph, node_index) ||
                            (has_unknown_side_effect && node.might_have_side_effect) ||
                            std::any_of(inputs.data, inputs.data + inputs.size, reads) ||
                            std::any_of(outputs.data, outputs.data + outputs.size, allocates);
    if (is_unknown) unknown.insert(outputs.data, outputs.data + outputs.size);
    has_unknown_side_effect |= is_unknown && node.might_have_side_effect;
    visit(node_index, is_unknown);
  }
  return unknown;
}

}  // namespace

std::set<int> TensorsOfUnknownShape(const Subgraph& subgraph) {
  return VisitNodes(subgraph, [](int, bool) {});
}

bool MoveUnknownShapesLast(Subgraph& subgraph) {
  std::vector<int> plan, late;
  VisitNodes(subgraph, [&](int node_index, bool is_unknown) { (is_unknown ? late : plan).push_back(node_index); });
  plan.insert(plan.end(), late.begin(), late.end());
  if (plan == subgraph.execution_plan()) return false;
  subgraph.execution_plan() = plan;
  return true;
}

}  // namespace tflite::webnn
