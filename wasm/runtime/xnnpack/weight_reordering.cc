#include "runtime/xnnpack/weight_reordering.h"

#include <cstring>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
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

// What an interpreter reads of a file: matrices by their addresses, and everything else.
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

  void AddBytes(const void* bytes, size_t size_bytes) {
    const auto* first = static_cast<const char*>(bytes);
    if (first != nullptr) others_.emplace_back(first, first + size_bytes);
  }
  void AddText(const char* text) { AddBytes(text, text != nullptr ? std::strlen(text) : 0); }

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

// Names and options that TFLite leaves in the file. Everything else it has copied; the tables themselves are read again
// only after the weights have their own order again.
void AddTexts(const Subgraph& graph, Constants& constants) {
  for (size_t i = 0; i < graph.tensors_size(); ++i) constants.AddText(graph.tensor(static_cast<int>(i))->name);
  for (const auto& [node, registration] : graph.nodes_and_registration()) {
    constants.AddBytes(node.custom_initial_data, node.custom_initial_data_size);
    if (node.builtin_data == nullptr) continue;
    switch (registration.builtin_code) {
      case kTfLiteBuiltinBucketize: {
        const auto& options = *static_cast<const TfLiteBucketizeParams*>(node.builtin_data);
        constants.AddBytes(options.boundaries, options.num_boundaries * sizeof(float));
        break;
      }
      case kTfLiteBuiltinStablehloComposite: {
        const auto& options = *static_cast<const TfLiteStablehloCompositeParams*>(node.builtin_data);
        constants.AddText(options.name);
        constants.AddBytes(options.attributes, options.attributes_size);
        break;
      }
      case kTfLiteBuiltinVarHandle: {
        const auto& options = *static_cast<const TfLiteVarHandleParams*>(node.builtin_data);
        constants.AddText(options.container);
        constants.AddText(options.shared_name);
        break;
      }
    }
  }
}

}  // namespace

void AllowReordering(Interpreter& interpreter, uint8_t* file, size_t size_bytes, WeightsInPlace& weights) {
  Constants constants(file, size_bytes);
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    AddConstants(*interpreter.subgraph(static_cast<int>(i)), constants);
    AddTexts(*interpreter.subgraph(static_cast<int>(i)), constants);
  }
  for (const auto& [address, matrix] : constants.Alone()) {
    weights.Allow(file + (address - reinterpret_cast<const char*>(file)), matrix.columns, matrix.depth);
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
