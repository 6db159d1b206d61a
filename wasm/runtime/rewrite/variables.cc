#include <algorithm>
#include <set>
#include <utility>

#include "runtime/rewrite/mutable_node.h"
#include "runtime/rewrite/resources.h"
#include "runtime/rewrite/rewrites.h"
#include "runtime/rewrite/variable_copy.h"
#include "support/status.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/experimental/resource/resource_variable.h"
#include "tensorflow/lite/util.h"
#include "tflite_kernels/op_table.h"
#include "third_party/compat/include/load_budget.h"

namespace tflite::webnn {
namespace {

using Key = VariableKey;

// The uses of one variable in the subgraph, in the order of its plan.
struct Uses {
  const char* name = "";
  std::vector<int> nodes;  // READ_VARIABLE and ASSIGN_VARIABLE
  Status status;           // an error if it cannot be extracted
};

class VariableMover {
 public:
  VariableMover(Interpreter& interpreter, int subgraph_index)
      : interpreter_(interpreter), graph_(*interpreter.subgraph(subgraph_index)), handles_(VariableHandlesOf(graph_)) {}

  Variables Run() {
    if (!handles_.empty()) {
      FindInitializers();
      for (size_t i = 0; i < interpreter_.subgraphs_size(); ++i) FindUses(*interpreter_.subgraph(static_cast<int>(i)));
      if (HasCandidates()) Initialize();
      for (auto& [key, uses] : uses_) Move(key, uses);
      KeepHandles();
      graph_.resources().clear();
      RemoveNodes();
    }
    result_.are_shared = HasResources(interpreter_, retired_);
    return std::move(result_);
  }

 private:
  int CodeOf(int node_index) const { return graph_.node_and_registration(node_index)->second.builtin_code; }
  TfLiteNode& NodeAt(int node_index) { return MutableNode(graph_, node_index).first; }

  void FindInitializers() {
    for (int node_index : graph_.execution_plan()) {
      const auto& [node, registration] = *graph_.node_and_registration(node_index);
      if (registration.builtin_code != kTfLiteBuiltinCallOnce) continue;
      const int index = static_cast<const TfLiteCallOnceParams*>(node.builtin_data)->init_subgraph_index;
      const Subgraph* initializer = interpreter_.subgraph(index);
      if (initializer == nullptr || initializer == &graph_) continue;
      // CALL_ONCE's kernel rejects others.
      if (initializer->inputs().empty() && initializer->outputs().empty()) initializers_.insert(index);
    }
  }

  void FindUses(Subgraph& graph) {
    const bool is_initializer = initializers_.count(graph.GetSubgraphIndex()) > 0;
    const std::vector<int>& plan = graph.execution_plan();
    const auto calls_once = [this](int node_index) { return CodeOf(node_index) == kTfLiteBuiltinCallOnce; };
    const auto ready = &graph == &graph_ ? std::find_if(plan.rbegin(), plan.rend(), calls_once).base() : plan.begin();
    const std::map<int, VariableHandle> handles = VariableHandlesOf(graph);
    for (int output : graph.outputs()) {
      if (handles.count(output)) Reject(handles.at(output).key, "a subgraph returns its handle");
    }
    for (int position = 0; position < static_cast<int>(plan.size()); ++position) {
      const int node_index = plan[position];
      const auto& [node, registration] = *graph.node_and_registration(node_index);
      for (int i = 0; i < node.inputs->size; ++i) {
        const auto handle = handles.find(node.inputs->data[i]);
        if (handle == handles.end() || is_initializer) continue;
        if (plan.begin() + position < ready) Reject(handle->second.key, "it is used before it is initialized");
        const bool is_access = registration.builtin_code == kTfLiteBuiltinReadVariable ||
                               (registration.builtin_code == kTfLiteBuiltinAssignVariable && i == 0);
        if (!is_access) Reject(handle->second.key, "node ", node_index, " takes its handle");
        if (&graph == &graph_) {
          Uses& uses = uses_[handle->second.key];
          uses.name = handle->second.name;
          uses.nodes.push_back(node_index);
        } else {
          Reject(handle->second.key, "subgraph ", graph.GetSubgraphIndex(), " uses it, too");
        }
      }
    }
  }

  template <typename... Parts>
  void Reject(const Key& key, const Parts&... reason) {
    Status& status = uses_[key].status;
    if (status.ok()) status = Unsupported(reason...);
  }

  bool HasCandidates() const {
    return std::any_of(uses_.begin(), uses_.end(), [](const auto& entry) { return entry.second.status.ok(); });
  }

  // Runs what CALL_ONCE would run first.
  void Initialize() {
    for (int index : initializers_) {
      Subgraph& graph = *interpreter_.subgraph(index);
      const bool may_run = MayRunEarly(graph);
      const bool is_done = may_run && graph.AllocateTensors() == kTfLiteOk &&
                           (initialized_bytes_ += WrittenBytes(graph)) <= kMaxComputedBytes &&
                           graph.Invoke() == kTfLiteOk && graph.ReleaseNonPersistentMemory() == kTfLiteOk;
      if (is_done) continue;
      const char* reason =
          may_run ? "its initialization fails" : "its initialization calls subgraphs, or has strings or tables";
      for (auto& [key, uses] : uses_) Reject(key, reason);
    }
  }

  // The value that CALL_ONCE assigns to a variable; null if none.
  const TfLiteTensor* InitialValue(const Key& key) {
    const auto id = graph_.resource_ids().find(key);
    if (id == graph_.resource_ids().end()) return nullptr;
    auto* variable = resource::GetResourceVariable(&graph_.resources(), id->second);
    return variable == nullptr ? nullptr : variable->GetTensor();
  }

  // The tensor that a node gets the value in, or assigns.
  int ValueOf(int node_index) {
    const TfLiteNode& node = NodeAt(node_index);
    return CodeOf(node_index) == kTfLiteBuiltinReadVariable ? node.outputs->data[0] : node.inputs->data[1];
  }

  // A sparse constant's bytes are fewer than its shape needs.
  bool FillsShape(const TfLiteTensor& value) {
    size_t bytes = 0;
    const TfLiteIntArray& dims = *value.dims;
    return BytesRequired(value.type, dims.data, dims.size, &bytes, graph_.context()) != kTfLiteOk ||
           bytes == value.bytes;
  }

  Status CheckUses(const Uses& uses, const TfLiteTensor* initial) {
    const TfLiteTensor& first = *graph_.tensor(ValueOf(uses.nodes.front()));
    const bool is_read_first = CodeOf(uses.nodes.front()) == kTfLiteBuiltinReadVariable;
    if (is_read_first && initial == nullptr) return Unsupported("it is read before it has a value");
    const TfLiteTensor& expected = is_read_first ? *initial : first;
    size_t element_bytes = 0;
    if (GetSizeOfType(nullptr, expected.type, &element_bytes) != kTfLiteOk) {
      return Unsupported("its type is ", TfLiteTypeGetName(expected.type));
    }
    bool fills_shape = FillsShape(expected);
    for (int node_index : uses.nodes) {
      const TfLiteTensor& value = *graph_.tensor(ValueOf(node_index));
      // TFLite cannot tell a scalar from a tensor of unknown rank; what is read has the shape of what was assigned.
      const bool is_open = CodeOf(node_index) == kTfLiteBuiltinReadVariable && value.dims->size == 0;
      const bool is_fixed = value.dims_signature == nullptr || value.dims_signature->size == 0 ||
                            TfLiteIntArrayEqual(value.dims_signature, value.dims);
      const bool fits = value.type == expected.type && (is_open || TfLiteIntArrayEqual(value.dims, expected.dims));
      if (!fits || !is_fixed) return Unsupported("its type or shape may change");
      fills_shape = fills_shape && FillsShape(value);
    }
    return fills_shape ? Status() : Unsupported("a value of it does not fill its shape");
  }

  void Move(const Key& key, Uses& uses) {
    if (uses.nodes.empty()) return;  // others may use it
    const TfLiteTensor* initial = InitialValue(key);
    if (uses.status.ok()) uses.status = CheckUses(uses, initial);
    if (!uses.status.ok()) return Keep(key, uses);
    const bool is_read_first = CodeOf(uses.nodes.front()) == kTfLiteBuiltinReadVariable;
    const bool is_assigned = std::any_of(uses.nodes.begin(), uses.nodes.end(), [this](int node_index) {
      return CodeOf(node_index) == kTfLiteBuiltinAssignVariable;
    });
    Variable variable{key.second, -1, -1, {}};
    if (is_read_first) {
      const char *begin = initial->data.raw, *end = begin + initial->bytes;
      const bool is_zero = std::all_of(begin, end, [](char byte) { return byte == 0; });
      if (!is_zero || !is_assigned) variable.initial.assign(begin, end);
      variable.input = AddTensor(uses.name, ValueOf(uses.nodes.front()), *initial->dims);
    }
    int latest = variable.input;
    for (int node_index : uses.nodes) {
      if (CodeOf(node_index) == kTfLiteBuiltinReadVariable) {
        Rewire(node_index, latest, ValueOf(node_index));
      } else {
        const int value = ValueOf(node_index);
        latest = AddTensor(uses.name, value, *graph_.tensor(value)->dims);
        Rewire(node_index, value, latest);
      }
    }
    if (!is_read_first) return;  // no value goes from one run to the next
    if (!is_assigned) return MakeConstant(variable);
    variable.output = latest;
    graph_.inputs().push_back(variable.input);
    graph_.outputs().push_back(latest);
    result_.outside.push_back(std::move(variable));
  }

  static std::string ReasonToKeep(const Key& key, const Uses& uses) {
    return "the variable '" + key.second + "' stays with TFLite: " + uses.status.message();
  }

  void Keep(const Key& key, const Uses& uses) {
    for (int node_index : uses.nodes) result_.kept[node_index] = ReasonToKeep(key, uses);
  }

  // The nodes that make handles of kept variables: in one pass, as there may be thousands.
  void KeepHandles() {
    for (int node_index : graph_.execution_plan()) {
      const TfLiteNode& node = NodeAt(node_index);
      const auto handle = node.outputs->size == 1 ? handles_.find(node.outputs->data[0]) : handles_.end();
      const auto found = handle != handles_.end() ? uses_.find(handle->second.key) : uses_.end();
      if (found == uses_.end() || found->second.status.ok() || found->second.nodes.empty()) continue;
      result_.kept[node_index] = ReasonToKeep(found->first, found->second);
    }
  }

  // Adds a tensor like another one, without content.
  int AddTensor(const char* name, int model, const TfLiteIntArray& dims) {
    int added = -1;
    graph_.AddTensors(1, &added);
    TfLiteTensor& tensor = *graph_.tensor(added);
    tensor = TfLiteTensorClone(*graph_.tensor(model));
    tensor.name = name;
    tensor.data.raw = nullptr;
    tensor.allocation_type = kTfLiteArenaRw;
    tensor.allocation = nullptr;
    TfLiteIntArrayFree(tensor.dims);
    tensor.dims = TfLiteIntArrayCopy(&dims);
    BytesRequired(tensor.type, dims.data, dims.size, &tensor.bytes, graph_.context());
    return added;
  }

  // Lets a node copy a tensor to another one.
  void Rewire(int node_index, int input, int output) {
    auto& [node, registration] = MutableNode(graph_, node_index);
    TfLiteIntArrayFree(node.inputs);
    TfLiteIntArrayFree(node.outputs);
    node.inputs = TfLiteIntArrayCreate(1);
    node.outputs = TfLiteIntArrayCreate(1);
    node.inputs->data[0] = input;
    node.outputs->data[0] = output;
    node.might_have_side_effect = false;
    BecomeVariableCopy(registration);
  }

  void MakeConstant(Variable& variable) {
    TfLiteTensor& tensor = *graph_.tensor(variable.input);
    result_.constants.push_back(std::move(variable.initial));
    tensor.allocation_type = kTfLiteMmapRo;
    tensor.data.raw = result_.constants.back().data();
  }

  // Removes the handles of extracted variables, and calls that only initialize these.
  void RemoveNodes() {
    std::erase_if(graph_.execution_plan(), [this](int node_index) {
      const auto& [node, registration] = *graph_.node_and_registration(node_index);
      if (registration.builtin_code == kTfLiteBuiltinVarHandle) return IsMoved(handles_.at(node.outputs->data[0]).key);
      if (registration.builtin_code != kTfLiteBuiltinCallOnce) return false;
      const int index = static_cast<const TfLiteCallOnceParams*>(node.builtin_data)->init_subgraph_index;
      if (!initializers_.count(index) || !InitializesOnlyMoved(*interpreter_.subgraph(index))) return false;
      interpreter_.subgraph(index)->MarkAsDelegationSkippable();
      retired_.insert(index);
      return true;
    });
  }

  bool IsMoved(const Key& key) const { return uses_.count(key) > 0 && uses_.at(key).status.ok(); }

  bool InitializesOnlyMoved(const Subgraph& graph) const {
    const std::map<int, VariableHandle> handles = VariableHandlesOf(graph);
    return std::all_of(handles.begin(), handles.end(),
                       [this](const auto& entry) { return IsMoved(entry.second.key); }) &&
           std::none_of(graph.execution_plan().begin(), graph.execution_plan().end(), [&graph](int node_index) {
             const int code = graph.node_and_registration(node_index)->second.builtin_code;
             return HasTrait(code, OpTrait::kHashtable) || code == kTfLiteBuiltinCallOnce;
           });
  }

  Interpreter& interpreter_;
  Subgraph& graph_;
  const std::map<int, VariableHandle> handles_;
  std::set<int> initializers_;  // subgraphs that CALL_ONCE of this one runs
  uint64_t initialized_bytes_ = 0;
  std::set<int> retired_;  // those of them that nothing runs any more
  std::map<Key, Uses> uses_;
  Variables result_;
};

}  // namespace

Variables TakeVariablesOut(Interpreter& interpreter, int subgraph_index) {
  return VariableMover(interpreter, subgraph_index).Run();
}

}  // namespace tflite::webnn
