// Input shapes that differ from the model file's.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "runtime/execute/loader.h"
#include "runtime/validate/budget.h"
#include "support/text.h"

namespace tflite::webnn {
namespace {

// Parses "1,224,224,3"; "" is a scalar's shape. Nullopt for other text, and for more than kMaxRank dimensions.
std::optional<std::vector<int>> ParseShape(std::string_view text) {
  std::vector<int> shape;
  if (text.empty()) return shape;
  if (std::count(text.begin(), text.end(), ',') >= kMaxRank) return std::nullopt;
  for (std::string_view field : SplitText(text, ',')) {
    int size = -1;
    if (!ParseNumber(field, &size) || size < 0) return std::nullopt;
    shape.push_back(size);
  }
  return shape;
}

// A shape as an error quotes it.
std::string Quoted(std::string_view shape) {
  const auto rank = std::count(shape.begin(), shape.end(), ',') + 1;
  if (rank <= kMaxRank) return "the shape [" + std::string(shape) + "]";
  return "a shape of " + std::to_string(rank) + " dimensions; at most " + std::to_string(kMaxRank) + " can be";
}

// False for a tensor that the file does not have.
bool HasShape(Subgraph& graph, const KnownShape& known) {
  if (known.tensor >= static_cast<int>(graph.tensors_size())) return false;
  const TfLiteIntArray& dims = *graph.tensor(known.tensor)->dims;
  return std::equal(known.shape.begin(), known.shape.end(), dims.data, dims.data + dims.size,
                    [](int size, int found) { return size < 0 || size == found; });
}

}  // namespace

Status Loader::ResizeInputs() {
  const std::vector<int> inputs = session_->inputs();
  std::string_view remainder = options_.input_shapes;
  for (size_t position = 0; !remainder.empty(); ++position) {
    const std::string_view text = remainder.substr(0, remainder.find(';'));
    remainder.remove_prefix(std::min(text.size() + 1, remainder.size()));
    if (text.empty()) continue;
    const std::optional<std::vector<int>> shape = ParseShape(text);
    if (!shape || position >= inputs.size()) {
      return InvalidOption("input_shapes", "input ", position, " cannot have ", Quoted(text));
    }
    if (subgraph().ResizeInputTensor(inputs[position], *shape) != kTfLiteOk) {
      return reporter_.Fail(error_code::kInvalidInputShape, "input ", position, " cannot have ", Quoted(text));
    }
  }
  for (const auto& [key, resized] : resized_inputs_) {  // in an earlier session
    const auto [subgraph_index, tensor_index] = key;
    if (session_->interpreter_->subgraph(subgraph_index)->ResizeInputTensor(tensor_index, resized) == kTfLiteOk)
      continue;
    return reporter_.Fail(error_code::kInvalidInputShape, "tensor ", tensor_index, " could not be resized again");
  }
  return {};
}

Status Loader::ResizeInput(int tensor_index, int subgraph_index, std::string_view shape, bool strict) {
  const std::string what = "tensor " + std::to_string(tensor_index) + " cannot have " + Quoted(shape);
  Subgraph* graph = session_->interpreter_->subgraph(subgraph_index);
  const std::optional<std::vector<int>> sizes = ParseShape(shape);
  // WebNN's graphs have fixed shapes.
  const bool is_fixed = !options_.defer_allocation || (options_.enable_webnn_delegate && session_->is_delegated_);
  if (graph == nullptr || !sizes || (subgraph_index == main_subgraph() && is_fixed))
    return reporter_.Fail(error_code::kInvalidInputShape, what);
  const KnownShapes& known_shapes = session_->rewrites_.known_shapes;
  const bool relies_on_shapes = std::any_of(known_shapes.begin(), known_shapes.end(),
                                            [&](const KnownShape& known) { return known.subgraph == subgraph_index; });
  if (relies_on_shapes && subgraph_index != main_subgraph()) {
    resized_inputs_[{subgraph_index, tensor_index}] = *sizes;
    return Prepare(/*rebuild=*/true);
  }
  session_->allocated_subgraphs_.erase(subgraph_index);
  const TfLiteStatus status =
      strict ? graph->ResizeInputTensorStrict(tensor_index, *sizes) : graph->ResizeInputTensor(tensor_index, *sizes);
  if (status != kTfLiteOk) return reporter_.Fail(error_code::kInvalidInputShape, what);
  resized_inputs_[{subgraph_index, tensor_index}] = *sizes;
  is_resized_ = is_resized_ || subgraph_index == main_subgraph();
  return {};
}

StatusOr<bool> Loader::HasOtherShapes() {
  std::unique_ptr<Interpreter> undelegated;
  bool is_accepted = InterpreterBuilder(*model_, *resolver_)(&undelegated, /*num_threads=*/1) == kTfLiteOk;
  Subgraph* checked = is_accepted ? undelegated->subgraph(main_subgraph()) : nullptr;
  const auto resize = [&](int tensor, const std::vector<int>& shape) {
    is_accepted = is_accepted && checked->ResizeInputTensor(tensor, shape) == kTfLiteOk;
  };
  for (int input : subgraph().inputs()) {
    const TfLiteIntArray& dims = *session_->tensor(input, main_subgraph())->dims;
    resize(input, std::vector<int>(dims.data, dims.data + dims.size));
  }
  for (const auto& [key, shape] : resized_inputs_) {
    if (key.first == main_subgraph()) resize(key.second, shape);
  }
  if (!is_accepted || checked->AllocateTensors() != kTfLiteOk) {
    return reporter_.Fail(error_code::kAllocateTensorsFailed, "the model's tensors could not be allocated");
  }
  const KnownShapes& known_shapes = session_->rewrites_.known_shapes;
  return std::any_of(known_shapes.begin(), known_shapes.end(), [&](const KnownShape& known) {
    return known.subgraph == main_subgraph() && !HasShape(*checked, known);
  });
}

}  // namespace tflite::webnn
