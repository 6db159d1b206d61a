#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "runtime/rewrite/mutable_node.h"
#include "runtime/rewrite/rewrites.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

using Shape = std::vector<int>;

Shape ShapeOf(const TfLiteTensor& tensor) { return {tensor.dims->data, tensor.dims->data + tensor.dims->size}; }

int ElementsBehind(const Shape& shape, size_t axis) {
  return std::accumulate(shape.begin() + axis + 1, shape.end(), 1, std::multiplies<>());
}

// Where a tensor has each part several times in a row.
struct Repetition {
  size_t axis;
  int times;
  int part_size;  // elements
};

Shape Once(Shape shape, const Repetition& repetition) {
  shape[repetition.axis] /= repetition.times;
  return shape;
}

class Remover {
 public:
  explicit Remover(Subgraph& graph) : graph_(graph) {
    for (int node_index : graph.execution_plan()) {
      for (int input : TfLiteIntArrayView(Node(node_index).inputs)) readers_[input].push_back(node_index);
    }
    for (int output : graph.outputs()) readers_[output].push_back(-1);
  }

  KnownShapes Run() {
    const std::vector<int> plan = graph_.execution_plan();
    const auto repeats = [this](int node_index) { return Op(node_index) == kTfLiteBuiltinBroadcastTo; };
    if (std::none_of(plan.begin(), plan.end(), repeats)) return {};
    // The file's shapes need not be those that kernels compute, nor those of inputs that were resized.
    if (graph_.AllocateTensors() != kTfLiteOk || graph_.HasDynamicTensors()) return {};
    for (int node_index : plan) {
      if (repeats(node_index)) Remove(node_index);
    }
    if (!reshaped_products_.empty()) ChangePlan(plan);
    return std::move(known_);
  }

 private:
  // A node behind the repetition, what it reads of it, and the shape of its result without it.
  struct Step {
    int node;
    int operand;
    Shape once;
  };

  void Remove(int broadcast) {
    std::optional<Repetition> repetition = RepetitionOf(Node(broadcast));
    if (!repetition) return;
    std::vector<Step> steps;
    int tensor = Node(broadcast).outputs->data[0];
    for (;;) {
      const std::vector<int>& readers = readers_[tensor];
      if (readers.size() != 1 || readers[0] < 0) return;
      const TfLiteNode& node = Node(readers[0]);
      const int operand = node.inputs->data[0] == tensor ? 0 : 1;
      const int op = Op(readers[0]);
      if (op == kTfLiteBuiltinBatchMatmul) {
        if (operand == 1 && CanMultiply(node, *repetition)) Apply(broadcast, steps, readers[0], *repetition);
        return;
      }
      repetition = Behind(op, node, operand, *repetition);
      if (!repetition) return;
      tensor = node.outputs->data[0];
      steps.push_back({readers[0], operand, Once(ShapeOf(Tensor(tensor)), *repetition)});
    }
  }

  // What BROADCAST_TO repeats; none if that is not one axis of float32 numbers.
  std::optional<Repetition> RepetitionOf(const TfLiteNode& node) const {
    const TfLiteTensor& input = Tensor(node.inputs->data[0]);
    const TfLiteTensor& output = Tensor(node.outputs->data[0]);
    if (!IsFloat(input) || !IsConstantTensor(&Tensor(node.inputs->data[1]))) return {};
    const Shape from = ShapeOf(input);
    const Shape to = ShapeOf(output);
    if (from.size() != to.size() || NumElements(&output) == 0) return {};
    const auto [one, times] = std::mismatch(from.begin(), from.end(), to.begin());
    if (one == from.end() || *one != 1 || *times < 2 || !std::equal(one + 1, from.end(), times + 1)) return {};
    const size_t axis = one - from.begin();
    return Repetition{axis, *times, ElementsBehind(to, axis)};
  }

  // Where the result of a node has the repetition of its operand; none if it must not be removed there.
  std::optional<Repetition> Behind(int op, const TfLiteNode& node, int operand, Repetition repetition) const {
    const Shape from = ShapeOf(Tensor(node.inputs->data[operand]));
    const Shape to = ShapeOf(Tensor(node.outputs->data[0]));
    if (!IsFloat(Tensor(node.outputs->data[0])) || node.inputs->size != 2) return {};
    if (node.inputs->data[1 - operand] < 0) return {};
    const TfLiteTensor& other = Tensor(node.inputs->data[1 - operand]);
    if (op == kTfLiteBuiltinMul && NumElements(&other) == 1 && from == to) return repetition;
    if (operand != 0 || !IsConstantTensor(&other)) return {};
    if (op == kTfLiteBuiltinTranspose) {
      if (other.type != kTfLiteInt32 || NumElements(&other) != static_cast<int>(from.size())) return {};
      const int* const order = other.data.i32;
      repetition.axis = std::find(order, order + from.size(), static_cast<int>(repetition.axis)) - order;
      if (repetition.axis == from.size()) return {};
      repetition.part_size = ElementsBehind(to, repetition.axis);
      return repetition;
    }
    if (op != kTfLiteBuiltinReshape || to.size() > TFLITE_RESHAPE_PARAMS_MAX_DIMENSION_COUNT) return {};
    for (repetition.axis = 0; repetition.axis < to.size(); ++repetition.axis) {
      const bool is_divisible = to[repetition.axis] % repetition.times == 0;
      if (is_divisible && ElementsBehind(to, repetition.axis) == repetition.part_size) return repetition;
    }
    return {};
  }

  // Whether each repetition is a factor by itself, of other rows.
  bool CanMultiply(const TfLiteNode& node, const Repetition& repetition) const {
    const auto& params = *static_cast<const TfLiteBatchMatMulParams*>(node.builtin_data);
    const TfLiteTensor& rows = Tensor(node.inputs->data[0]);
    const Shape left = ShapeOf(rows);
    const Shape right = ShapeOf(Tensor(node.inputs->data[1]));
    const Shape result = ShapeOf(Tensor(node.outputs->data[0]));
    if (params.adj_x || !IsFloat(rows) || !IsFloat(Tensor(node.outputs->data[0]))) return false;
    const size_t rank = right.size();
    if (rank < 3 || left.size() != rank || result.size() != rank || repetition.axis > rank - 3) return false;
    const bool has_batches = std::equal(left.begin(), left.end() - 2, right.begin());
    return has_batches && repetition.part_size == right[rank - 2] * right[rank - 1];
  }

  void Apply(int broadcast, const std::vector<Step>& steps, int product, const Repetition& repetition) {
    const auto reshaping = std::find_if(steps.begin(), steps.end(),
                                        [this](const Step& step) { return Op(step.node) == kTfLiteBuiltinReshape; });
    if (reshaping == steps.end()) return;
    NoteShape(Node(broadcast).inputs->data[0], ShapeOf(Tensor(Node(broadcast).inputs->data[0])));
    NoteShape(Node(broadcast).outputs->data[0], ShapeOf(Tensor(Node(broadcast).outputs->data[0])));
    for (const Step& step : steps) {
      NoteShape(Node(step.node).outputs->data[0], ShapeOf(Tensor(Node(step.node).outputs->data[0])));
    }
    Shape open_rows = ShapeOf(Tensor(Node(product).inputs->data[0]));
    open_rows[open_rows.size() - 2] = -1;
    NoteShape(Node(product).inputs->data[0], std::move(open_rows));
    const TfLiteRegistration reshape = graph_.node_and_registration(reshaping->node)->second;
    int tensor = Node(broadcast).inputs->data[0];
    for (const Step& step : steps) {
      TfLiteNode& node = Node(step.node);
      node.inputs->data[step.operand] = tensor;
      tensor = node.outputs->data[0];
      SetShape(tensor, step.once, Tensor(tensor).name);
      if (Op(step.node) != kTfLiteBuiltinReshape) continue;
      node.inputs->size = 1;  // the shape is in its parameters
      SetParams(*static_cast<TfLiteReshapeParams*>(node.builtin_data), step.once);
    }
    const int rows = Node(product).inputs->data[0];
    const int result = Node(product).outputs->data[0];
    const int gathered = AddTensor(rows, repetition);
    const int products = AddTensor(result, repetition);
    const int before = AddReshape(rows, gathered, reshape);
    const int after = AddReshape(products, result, reshape);
    const TfLiteNode& node = Node(product);  // nodes have moved
    node.inputs->data[0] = gathered;
    node.inputs->data[1] = tensor;
    node.outputs->data[0] = products;
    reshaped_products_[product] = {before, after};
    removed_.insert(broadcast);
  }

  // Puts the added nodes next to their products in the plan, and takes the removed ones out.
  void ChangePlan(const std::vector<int>& plan) {
    std::vector<int>& changed = graph_.execution_plan();
    changed.clear();
    for (int index : plan) {
      if (removed_.contains(index)) continue;
      const auto reshaped = reshaped_products_.find(index);
      if (reshaped == reshaped_products_.end()) {
        changed.push_back(index);
      } else {
        changed.insert(changed.end(), {reshaped->second.first, index, reshaped->second.second});
      }
    }
  }

  // Adds a tensor like another one, with the rows of all repetitions of a factor next to each other.
  int AddTensor(int like, const Repetition& repetition) {
    Shape shape = Once(ShapeOf(Tensor(like)), repetition);
    shape[shape.size() - 2] *= repetition.times;
    int index = 0;
    graph_.AddTensors(1, &index);
    SetShape(index, shape, Tensor(like).name);
    return index;
  }

  // The number of rows is left open: inputs may be resized.
  int AddReshape(int from, int to, const TfLiteRegistration& reshape) {
    Shape shape = ShapeOf(Tensor(to));
    shape[shape.size() - 2] = -1;
    auto* params = static_cast<TfLiteReshapeParams*>(calloc(1, sizeof(TfLiteReshapeParams)));  // the graph frees it
    SetParams(*params, shape);
    int index = 0;
    graph_.AddNodeWithParameters({from}, {to}, {}, nullptr, 0, params, &reshape, &index);
    return index;
  }

  void NoteShape(int tensor, Shape shape) { known_.push_back({graph_.GetSubgraphIndex(), tensor, std::move(shape)}); }

  static void SetParams(TfLiteReshapeParams& params, const Shape& shape) {
    std::copy(shape.begin(), shape.end(), params.shape);
    params.num_dimensions = static_cast<int>(shape.size());
  }

  void SetShape(int tensor, const Shape& shape, const char* name) {
    graph_.SetTensorParametersReadWrite(tensor, kTfLiteFloat32, name, shape, TfLiteQuantization{});
  }

  static bool IsFloat(const TfLiteTensor& tensor) { return tensor.type == kTfLiteFloat32; }
  const TfLiteTensor& Tensor(int index) const { return *graph_.tensor(index); }
  int Op(int index) const { return graph_.node_and_registration(index)->second.builtin_code; }
  TfLiteNode& Node(int index) const { return MutableNode(graph_, index).first; }

  Subgraph& graph_;
  KnownShapes known_;
  std::map<int, std::vector<int>> readers_;               // nodes by tensor; -1: the graph returns it
  std::map<int, std::pair<int, int>> reshaped_products_;  // the nodes before and after a product
  std::set<int> removed_;
};

// TFLite plans the memory of other nodes again only where a delegate is applied, or fails.
void PlanMemory(Interpreter& interpreter) {
  TfLiteDelegate failing = TfLiteDelegateCreate();
  failing.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  failing.Prepare = [](TfLiteContext*, TfLiteDelegate*) { return kTfLiteError; };
  interpreter.ModifyGraphWithDelegate(&failing);
}

}  // namespace

KnownShapes RemoveRepetitions(Interpreter& interpreter) {
  KnownShapes known;
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    Subgraph& graph = *interpreter.subgraph(static_cast<int>(i));
    if (graph.IsDelegationSkippable()) continue;
    const KnownShapes of_graph = Remover(graph).Run();
    known.insert(known.end(), of_graph.begin(), of_graph.end());
  }
  if (!known.empty()) PlanMemory(interpreter);
  return known;
}

}  // namespace tflite::webnn
