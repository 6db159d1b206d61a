#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "runtime/rewrite/rewrites.h"
#include "runtime/rewrite/subgraph_copy.h"
#include "runtime/validate/node_info.h"
#include "runtime/validate/validate.h"
#include "support/status.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tflite::webnn {
namespace {

// Nested decompositions may multiply.
constexpr size_t kMaxNodes = 100'000;

const TfLiteStablehloCompositeParams* CompositeParams(const TfLiteNode& node, const TfLiteRegistration& registration) {
  if (registration.builtin_code != kTfLiteBuiltinStablehloComposite) return nullptr;
  return static_cast<const TfLiteStablehloCompositeParams*>(node.builtin_data);
}

// Null unless the tensor has several scales.
const TfLiteAffineQuantization* ScalesOf(const TfLiteTensor& tensor) {
  if (tensor.quantization.type != kTfLiteAffineQuantization) return nullptr;
  const auto* scales = static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
  return scales != nullptr && scales->scale != nullptr && scales->scale->size > 1 ? scales : nullptr;
}

bool HaveSameMeaning(const TfLiteTensor& a, const TfLiteTensor& b) {
  const TfLiteAffineQuantization *scales = ScalesOf(a), *others = ScalesOf(b);
  if (scales != nullptr && others != nullptr) {
    return a.type == b.type &&
           std::ranges::equal(std::span(scales->scale->data, scales->scale->size),
                              std::span(others->scale->data, others->scale->size)) &&
           scales->quantized_dimension == others->quantized_dimension &&
           TfLiteIntArrayEqual(scales->zero_point, others->zero_point);
  }
  return scales == others && a.type == b.type && a.params.scale == b.params.scale &&
         a.params.zero_point == b.params.zero_point;
}

bool Contains(const std::vector<int>& values, int value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool HasDuplicates(const std::vector<int>& values) {
  return std::set<int>(values.begin(), values.end()).size() != values.size();
}

// Inlines the composites of one subgraph.
class Inliner {
 public:
  Inliner(Interpreter& interpreter, const Model& model, int subgraph_index)
      : interpreter_(interpreter), model_(model), graph_(*interpreter.subgraph(subgraph_index)) {}

  Composites Run() {
    const std::vector<int> nodes = graph_.execution_plan();
    for (int node_index : nodes) {
      const auto& [node, registration] = *graph_.node_and_registration(node_index);
      const TfLiteStablehloCompositeParams* params = CompositeParams(node, registration);
      const Status status = params == nullptr ? Status() : CheckDecomposition(node, *params);
      if (!status.ok()) composites_.kept[node_index] = KeptText(*params, status);
      if (params == nullptr || !status.ok()) {
        plan_.push_back(node_index);
        continue;
      }
      origin_ = {params->name, node_index};
      Expand(node, *params);
    }
    if (!composites_.origins.empty()) graph_.execution_plan() = plan_;
    return std::move(composites_);
  }

 private:
  static std::string KeptText(const TfLiteStablehloCompositeParams& params, const Status& status) {
    return "the composite '" + std::string(params.name) + "' stays one node: " + status.message();
  }

  // Rejects a composite that cannot be inlined.
  Status CheckDecomposition(const TfLiteNode& node, const TfLiteStablehloCompositeParams& params) const {
    const int index = params.subgraph_index;
    if (index < 0 || index >= static_cast<int>(interpreter_.subgraphs_size())) {
      return Unsupported("it has no decomposition");
    }
    const Subgraph& body = *interpreter_.subgraph(index);
    if (&body == &graph_ || Contains(open_, index)) return Unsupported("its decomposition contains itself");
    if (graph_.nodes_size() + NodeCount(index) > kMaxNodes) return Unsupported("its decomposition has too many nodes");
    if (HasDuplicates(body.inputs()) || HasDuplicates(body.outputs()) || !WritesOutputs(index)) {
      return Unsupported("its decomposition returns a tensor that none of its nodes writes");
    }
    if (!body.variables().empty()) return Unsupported("its decomposition has variables");
    if (GeneratesRandomNumbers(body)) return Unsupported("its decomposition generates random numbers");
    if (Match(*node.inputs, body, body.inputs()) && Match(*node.outputs, body, body.outputs())) return {};
    return Unsupported("its tensors differ from those of its decomposition");
  }

  // The nodes of the file; inlining may have added others to a subgraph that is also a signature's.
  int NodeCount(int subgraph_index) const {
    return static_cast<int>(SizeOf(model_.subgraphs()->Get(subgraph_index)->operators()));
  }

  bool WritesOutputs(int subgraph_index) const {
    const Subgraph& body = *interpreter_.subgraph(subgraph_index);
    std::set<int> written;
    for (int i = 0; i < NodeCount(subgraph_index); ++i) {
      const TfLiteIntArray& outputs = *body.node_and_registration(i)->first.outputs;
      written.insert(outputs.data, outputs.data + outputs.size);
    }
    return std::all_of(body.outputs().begin(), body.outputs().end(),
                       [&](int output) { return written.count(output) > 0 && !Contains(body.inputs(), output); });
  }

  bool Match(const TfLiteIntArray& tensors, const Subgraph& body, const std::vector<int>& expected) const {
    if (tensors.size != static_cast<int>(expected.size())) return false;
    for (int i = 0; i < tensors.size; ++i) {
      if (tensors.data[i] < 0 || expected[i] < 0) return false;
      if (!HaveSameMeaning(*graph_.tensor(tensors.data[i]), *body.tensor(expected[i]))) return false;
    }
    return true;
  }

  // Appends the nodes of a composite's decomposition to the plan.
  void Expand(const TfLiteNode& node, const TfLiteStablehloCompositeParams& params) {
    const int index = params.subgraph_index;
    const Subgraph& body = *interpreter_.subgraph(index);
    SubgraphCopy copy(graph_, body, *model_.subgraphs()->Get(index)->operators());
    for (int i = 0; i < node.inputs->size; ++i) copy.Bind(body.inputs()[i], node.inputs->data[i]);
    for (int i = 0; i < node.outputs->size; ++i) copy.Bind(body.outputs()[i], node.outputs->data[i]);
    open_.push_back(index);
    for (int i = 0; i < NodeCount(index); ++i) AppendNode(copy, i);
    open_.pop_back();
  }

  void AppendNode(SubgraphCopy& copy, int index) {
    const int added = copy.AppendNode(index);
    if (added < 0) return;  // TFLite then rejects the entire graph as inconsistent
    composites_.origins[added] = origin_;
    const auto& [node, registration] = *graph_.node_and_registration(added);
    const TfLiteStablehloCompositeParams* params = CompositeParams(node, registration);
    const Status status = params == nullptr ? Status() : CheckDecomposition(node, *params);
    if (params != nullptr && status.ok()) return Expand(node, *params);
    if (!status.ok()) composites_.kept[added] = KeptText(*params, status);
    plan_.push_back(added);
  }

  Interpreter& interpreter_;
  const Model& model_;
  Subgraph& graph_;
  Composites composites_;
  CompositeOrigin origin_;
  std::vector<int> plan_;
  std::vector<int> open_;  // decompositions that are being expanded
};

// The subgraphs that the composites of this one, as its plan has them, name.
std::vector<int> DecompositionsIn(const Subgraph& graph) {
  std::vector<int> found;
  for (int node_index : graph.execution_plan()) {
    const auto& [node, registration] = *graph.node_and_registration(node_index);
    if (const auto* params = CompositeParams(node, registration)) found.push_back(params->subgraph_index);
  }
  return found;
}

std::set<int> AllDecompositions(const Interpreter& interpreter, const Model& model) {
  std::set<int> found;
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    for (int index : DecompositionsIn(*interpreter.subgraph(static_cast<int>(i)))) {
      if (interpreter.subgraph(index) != nullptr) found.insert(index);
    }
  }
  for (int64_t index : EntrySubgraphs(model)) found.erase(static_cast<int>(index));
  return found;
}

}  // namespace

std::map<int, Composites> InlineComposites(Interpreter& interpreter, const Model& model) {
  std::map<int, Composites> result;
  std::set<int> unused = AllDecompositions(interpreter, model);
  std::vector<int> used;
  for (int i = 0; i < static_cast<int>(interpreter.subgraphs_size()); ++i) {
    if (unused.count(i)) continue;
    result[i] = Inliner(interpreter, model, i).Run();
    used.push_back(i);
  }
  // Decompositions that are left do not run, so delegates need not prepare them.
  while (!used.empty()) {
    const std::vector<int> called = DecompositionsIn(*interpreter.subgraph(used.back()));
    used.pop_back();
    for (int index : called) {
      if (unused.erase(index)) used.push_back(index);
    }
  }
  for (int index : unused) interpreter.subgraph(index)->MarkAsDelegationSkippable();
  return result;
}

}  // namespace tflite::webnn
