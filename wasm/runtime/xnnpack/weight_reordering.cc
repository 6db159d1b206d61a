#include "runtime/xnnpack/weight_reordering.h"

#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "runtime/validate/flatbuffer.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

struct Matrix {
  size_t columns;
  size_t depth;

  bool operator==(const Matrix&) const = default;
};

using Range = std::pair<const char*, const char*>;

Range BytesOf(const TfLiteTensor& tensor) { return {tensor.data.raw, tensor.data.raw + tensor.bytes}; }

// The constants of a file: matrices by their addresses, and what other constants are.
class Constants {
 public:
  Constants(const uint8_t* file, size_t size_bytes) : file_(reinterpret_cast<const char*>(file)), size_(size_bytes) {}

  void Add(const TfLiteTensor& tensor, bool is_weight) {
    if (tensor.allocation_type != kTfLiteMmapRo || tensor.data.raw == nullptr) return;
    const Range bytes = BytesOf(tensor);
    const Matrix matrix = is_weight ? MatrixOf(tensor) : Matrix{};
    const bool is_in_file = bytes.first >= file_ && bytes.second <= file_ + size_;
    if (matrix.columns == 0 || !is_in_file || matrices_.emplace(bytes.first, matrix).first->second != matrix) {
      others_.push_back(bytes);
    }
  }

  // The matrices that share no byte with anything else.
  const std::map<const char*, Matrix>& Alone() {
    for (auto next = matrices_.begin(); next != matrices_.end();) {
      const auto current = next++;
      if (next != matrices_.end() && EndOf(*current) > next->first) others_.emplace_back(next->first, EndOf(*current));
    }
    for (const auto& [first, last] : others_) {
      auto found = matrices_.lower_bound(last);
      while (found != matrices_.begin() && EndOf(*std::prev(found)) > first) found = matrices_.erase(std::prev(found));
    }
    return matrices_;
  }

 private:
  static const char* EndOf(const std::pair<const char* const, Matrix>& matrix) {
    return matrix.first + matrix.second.columns * matrix.second.depth;
  }

  // {} of a tensor that is no weights of an operator that reorders them.
  static Matrix MatrixOf(const TfLiteTensor& tensor) {
    if (tensor.type != kTfLiteInt8 || tensor.sparsity != nullptr || NumDimensions(&tensor) != 2) return {};
    const auto columns = static_cast<size_t>(SizeOfDimension(&tensor, 0));
    const auto depth = static_cast<size_t>(SizeOfDimension(&tensor, 1));
    if (columns * depth != tensor.bytes || !WeightsInPlace::CanReorder(columns, depth)) return {};
    return {columns, depth};
  }

  const char* const file_;
  const size_t size_;
  std::map<const char*, Matrix> matrices_;
  std::vector<Range> others_;
};

void AddConstants(const Subgraph& graph, Constants& constants) {
  for (const auto& [node, registration] : graph.nodes_and_registration()) {
    for (int i = 0; i < node.inputs->size; ++i) {
      if (node.inputs->data[i] < 0) continue;
      const bool is_weight = registration.builtin_code == kTfLiteBuiltinFullyConnected && i == 1 &&
                             graph.tensor(node.inputs->data[0])->type == kTfLiteFloat32;
      constants.Add(*graph.tensor(node.inputs->data[i]), is_weight);
    }
  }
  for (const std::vector<int>* ends : {&graph.inputs(), &graph.outputs()}) {
    for (int tensor : *ends) {
      if (tensor >= 0) constants.Add(*graph.tensor(tensor), /*is_weight=*/false);
    }
  }
}

}  // namespace

void AllowReordering(Interpreter& interpreter, uint8_t* file, size_t size_bytes, WeightsInPlace& weights) {
  Constants constants(file, size_bytes);
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    AddConstants(*interpreter.subgraph(static_cast<int>(i)), constants);
  }
  const std::map<const char*, Matrix>& alone = constants.Alone();
  std::map<size_t, size_t> contents;
  for (const auto& [place, matrix] : alone) {
    const size_t start = place - reinterpret_cast<const char*>(file);
    contents[start] = start + matrix.columns * matrix.depth;
  }
  if (!contents.empty()) KeepUnshared(file, size_bytes, contents);
  for (const auto& [start, end] : contents) {
    const Matrix& matrix = alone.at(reinterpret_cast<const char*>(file) + start);
    weights.Allow(file + start, matrix.columns, matrix.depth);
  }
}

bool ReadsReordered(Interpreter& interpreter, const WeightsInPlace& weights) {
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    const Subgraph& graph = *interpreter.subgraph(static_cast<int>(i));
    for (int index : graph.execution_plan()) {
      const TfLiteNode& node = graph.node_and_registration(index)->first;
      if (node.delegate != nullptr) continue;
      for (int input = 0; input < node.inputs->size; ++input) {
        const int tensor = node.inputs->data[input];
        if (tensor >= 0 && weights.AreReordered(graph.tensor(tensor)->data.raw)) return true;
      }
    }
  }
  return false;
}

}  // namespace tflite::webnn
