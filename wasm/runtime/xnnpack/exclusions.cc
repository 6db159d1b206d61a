#include "runtime/xnnpack/exclusions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "delegate/model/javascript_op.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

// Each attempt to load the model adds at least one.
constexpr size_t kMaxNodes = 8;
// Addresses of a graph's windows: a GB. XNNPACK multiplies their number in 32 bits.
constexpr double kMaxWindowAddresses = 1 << 28;

bool IsEmpty(Subgraph& subgraph, int tensor) {
  if (tensor < 0) return false;
  const TfLiteIntArray* dims = subgraph.tensor(tensor)->dims;
  return dims != nullptr && std::find(dims->data, dims->data + dims->size, 0) != dims->data + dims->size;
}

// A constant without elements is an empty list, such as axes: no reason.
bool HasEmptyTensor(Subgraph& subgraph, int node_index) {
  const TfLiteNode& node = subgraph.node_and_registration(node_index)->first;
  for (const TfLiteIntArray* tensors : {node.inputs, node.outputs}) {
    for (int i = 0; i < tensors->size; ++i) {
      const int tensor = tensors->data[i];
      if (IsEmpty(subgraph, tensor) && subgraph.tensor(tensor)->allocation_type != kTfLiteMmapRo) return true;
    }
  }
  return false;
}

// XNNPACK cannot set up a partition that reads nothing at run time. Unpacked weights belong to their readers'
// partition.
bool IsConstantOutput(Subgraph& subgraph, int node_index) {
  const TfLiteNode& node = subgraph.node_and_registration(node_index)->first;
  const auto is_constant = [&subgraph](int tensor) {
    return tensor < 0 || subgraph.tensor(tensor)->allocation_type == kTfLiteMmapRo;
  };
  if (!std::all_of(node.inputs->data, node.inputs->data + node.inputs->size, is_constant)) return false;
  const std::vector<int>& outputs = subgraph.outputs();
  return std::any_of(node.outputs->data, node.outputs->data + node.outputs->size, [&outputs](int tensor) {
    return std::find(outputs.begin(), outputs.end(), tensor) != outputs.end();
  });
}

// XNNPACK's delegate treats the right matrix of a hybrid product as a constant, and has no values where it is none.
bool IsHybridProductOfVariable(Subgraph& subgraph, int node_index) {
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  if (registration.builtin_code != kTfLiteBuiltinBatchMatmul) return false;
  const TfLiteTensor& left = *subgraph.tensor(node.inputs->data[0]);
  const TfLiteTensor& right = *subgraph.tensor(node.inputs->data[1]);
  return left.type == kTfLiteFloat32 && right.type == kTfLiteInt8 && right.allocation_type != kTfLiteMmapRo;
}

// XNNPACK's delegate reads dimensions of these ops' inputs that a tensor of unknown rank does not have.
bool ReadsUnknownRank(Subgraph& subgraph, int node_index) {
  static const std::set<int> kOps = {kTfLiteBuiltinAveragePool2d, kTfLiteBuiltinBatchMatmul, kTfLiteBuiltinDepthToSpace,
                                     kTfLiteBuiltinMaxPool2d, kTfLiteBuiltinSpaceToDepth};
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  if (kOps.count(registration.builtin_code) == 0) return false;
  const TfLiteIntArray& inputs = *node.inputs;
  return std::any_of(inputs.data, inputs.data + inputs.size,
                     [&subgraph](int input) { return subgraph.tensor(input)->dims->size == 0; });
}

bool KeepsElements(int code) {
  return code == kTfLiteBuiltinReshape || code == kTfLiteBuiltinExpandDims || code == kTfLiteBuiltinSqueeze;
}

// TRANSPOSE nodes whose result is both operands of a product, perhaps reshaped. XNNPACK swaps the last axes of a
// transpose for a product's second operand if no other node reads it, and then the first operand is another matrix.
std::set<int> TransposesOfBothOperands(Subgraph& subgraph, const std::vector<int>& plan) {
  std::map<int, int> writers;
  for (int node_index : plan) {
    const TfLiteIntArray& outputs = *subgraph.node_and_registration(node_index)->first.outputs;
    for (int i = 0; i < outputs.size; ++i) writers[outputs.data[i]] = node_index;
  }
  const auto writer_before_reshapes = [&](int tensor) {
    for (auto writer = writers.find(tensor); writer != writers.end(); writer = writers.find(tensor)) {
      const auto& [node, registration] = *subgraph.node_and_registration(writer->second);
      if (!KeepsElements(registration.builtin_code)) return writer->second;
      tensor = node.inputs->data[0];
    }
    return -1;
  };
  std::set<int> found;
  for (int node_index : plan) {
    const auto& [node, registration] = *subgraph.node_and_registration(node_index);
    const int code = registration.builtin_code;
    const bool is_product = code == kTfLiteBuiltinBatchMatmul || code == kTfLiteBuiltinFullyConnected;
    if (!is_product || node.inputs->size < 2) continue;
    const int writer = writer_before_reshapes(node.inputs->data[0]);
    if (writer < 0 || writer != writer_before_reshapes(node.inputs->data[1])) continue;
    if (subgraph.node_and_registration(writer)->second.builtin_code == kTfLiteBuiltinTranspose) found.insert(writer);
  }
  return found;
}

// A variable that was extracted from the graph: XNNPACK's delegate knows only those with a handle.
// And one of float16: computed in float32, it sends XNNPACK's sorting of the nodes into an endless loop.
bool IsVariableOutside(Subgraph& subgraph, int node_index) {
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  const bool is_read = registration.builtin_code == kTfLiteBuiltinReadVariable && node.outputs->size == 1;
  const bool is_write = registration.builtin_code == kTfLiteBuiltinAssignVariable && node.inputs->size == 2;
  if (is_read && subgraph.tensor(node.outputs->data[0])->type == kTfLiteFloat16) return true;
  if (is_write && subgraph.tensor(node.inputs->data[1])->type == kTfLiteFloat16) return true;
  const bool is_access = registration.builtin_code == kTfLiteBuiltinReadVariable ||
                         registration.builtin_code == kTfLiteBuiltinAssignVariable;
  return is_access && node.inputs->size == 1 && node.outputs->size == 1 &&
         subgraph.tensor(node.inputs->data[0])->type != kTfLiteResource;
}

// XNNPACK rounds the multiples of 2 pi that it subtracts from large angles: sin(2**24) is 0.2 off, sin(2**31) is -249.
bool IsSineOrCosine(Subgraph& subgraph, int node_index) {
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  const int code = registration.builtin_code;
  const bool is_either = code == kTfLiteBuiltinSin || code == kTfLiteBuiltinCos;
  return is_either && subgraph.tensor(node.inputs->data[0])->type == kTfLiteFloat32;
}

// XNNPACK swaps a constant first operand with the second one. Of NaN and a number, TFLite returns the second operand.
bool IsExtremeOfNan(Subgraph& subgraph, int node_index) {
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  const int code = registration.builtin_code;
  if (code != kTfLiteBuiltinMaximum && code != kTfLiteBuiltinMinimum) return false;
  const TfLiteTensor& first = *subgraph.tensor(node.inputs->data[0]);
  const bool is_number =
      first.allocation_type == kTfLiteMmapRo && first.type == kTfLiteFloat32 && NumElements(&first) == 1;
  return is_number && std::isnan(*first.data.f);
}

// XNNPACK's delegate computes the input's channels from the option that TFLite's kernel ignores, and never looks at
// them.
bool HasOtherDepthMultiplier(Subgraph& subgraph, int node_index) {
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  if (registration.builtin_code != kTfLiteBuiltinDepthwiseConv2d) return false;
  const TfLiteTensor& input = *subgraph.tensor(node.inputs->data[0]);
  const TfLiteTensor& weights = *subgraph.tensor(node.inputs->data[1]);
  if (NumDimensions(&input) != 4 || NumDimensions(&weights) != 4) return false;
  const auto& options = *static_cast<const TfLiteDepthwiseConvParams*>(node.builtin_data);
  return SizeOfDimension(&input, 3) * options.depth_multiplier != SizeOfDimension(&weights, 3);
}

// Elements of the window that a node reads for each pixel of its output; 1 for nodes without windows.
double WindowSize(Subgraph& subgraph, const TfLiteNode& node, const TfLiteRegistration& registration) {
  switch (registration.builtin_code) {
    case kTfLiteBuiltinAveragePool2d:
    case kTfLiteBuiltinMaxPool2d: {
      const auto& options = *static_cast<const TfLitePoolParams*>(node.builtin_data);
      return double{1} * options.filter_height * options.filter_width;
    }
    case kTfLiteBuiltinResizeBilinear:
      return 4;
    case kTfLiteBuiltinConv2d:
    case kTfLiteBuiltinCustom:  // Convolution2DTransposeBias
    case kTfLiteBuiltinDepthwiseConv2d:
    case kTfLiteBuiltinTransposeConv: {
      if (node.inputs->size < 2 || node.inputs->data[1] < 0) return 1;
      const TfLiteTensor& weights = *subgraph.tensor(node.inputs->data[1]);
      if (NumDimensions(&weights) != 4) return 1;
      return double{1} * SizeOfDimension(&weights, 1) * SizeOfDimension(&weights, 2);
    }
    default:
      return 1;
  }
}

double WindowAddresses(Subgraph& subgraph, int node_index) {
  const auto& [node, registration] = *subgraph.node_and_registration(node_index);
  if (IsJavascriptOp(registration)) return 0;
  const double size = WindowSize(subgraph, node, registration);
  if (size == 1 || node.outputs->size == 0) return 0;
  const TfLiteTensor& output = *subgraph.tensor(node.outputs->data[0]);
  return NumDimensions(&output) != 4 ? 0 : size * SizeOfDimension(&output, 1) * SizeOfDimension(&output, 2);
}

// Nodes for whose windows XNNPACK would compute too many addresses before the run. Those of earlier nodes count, too.
std::set<int> WithTooManyWindows(Subgraph& subgraph, const std::vector<int>& nodes) {
  std::set<int> found;
  double sum = 0;
  for (int node : nodes) {
    const double addresses = WindowAddresses(subgraph, node);
    if (sum + addresses > kMaxWindowAddresses) {
      found.insert(node);
    } else {
      sum += addresses;
    }
  }
  return found;
}

}  // namespace

bool XnnpackExclusions::HasEmptyInput(Subgraph& subgraph) {
  return std::any_of(subgraph.inputs().begin(), subgraph.inputs().end(),
                     [&subgraph](int input) { return IsEmpty(subgraph, input); });
}

std::set<int> XnnpackExclusions::Excluded(Subgraph& subgraph, const std::vector<int>& plan) const {
  const bool is_empty = HasEmptyInput(subgraph);
  std::set<int> excluded = TransposesOfBothOperands(subgraph, plan);
  excluded.merge(WithTooManyWindows(subgraph, plan));
  const std::map<int, VariableHandle> handles = VariableHandlesOf(subgraph);
  for (int node : plan) {
    const bool is_excluded = is_empty || HasEmptyTensor(subgraph, node) || IsConstantOutput(subgraph, node) ||
                             IsHybridProductOfVariable(subgraph, node) || ReadsUnknownRank(subgraph, node) ||
                             IsVariableOutside(subgraph, node) || HasOtherDepthMultiplier(subgraph, node) ||
                             IsSineOrCosine(subgraph, node) || IsExtremeOfNan(subgraph, node) ||
                             IsFailed(subgraph.GetSubgraphIndex(), node);
    const auto& [each, registration] = *subgraph.node_and_registration(node);
    // XNNPACK's delegate knows custom ops by their names.
    if (is_excluded || IsJavascriptOp(registration)) excluded.insert(node);
    const TfLiteIntArray& tensors = each.inputs->size > 0 ? *each.inputs : *each.outputs;
    const auto handle = tensors.size > 0 ? handles.find(tensors.data[0]) : handles.end();
    // XNNPACK reads whatever is in the memory of a variable without a value, where TFLite's kernel reports it.
    if (handle != handles.end() && variables_read_first_.contains(handle->second.key)) excluded.insert(node);
  }
  return excluded;
}

bool XnnpackExclusions::Add(int subgraph, std::vector<int> nodes, const std::string& reason) {
  if (IsFailed(subgraph, kAll)) return false;
  std::erase_if(nodes, [&](int node) { return IsFailed(subgraph, node); });
  if (nodes.empty() || nodes_.size() >= kMaxNodes) nodes = {kAll};
  for (int node : nodes) nodes_.push_back({subgraph, node, reason});
  return true;
}

bool XnnpackExclusions::IsFailed(int subgraph, int node) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [subgraph, node](const Node& failed) {
    return (failed.subgraph == subgraph || failed.subgraph == kAll) && (failed.node == node || failed.node == kAll);
  });
}

}  // namespace tflite::webnn
