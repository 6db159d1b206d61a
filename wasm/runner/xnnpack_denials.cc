#include "runner/xnnpack_denials.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "tensorflow/lite/builtin_ops.h"

namespace tflite::webnn {
namespace {

// Each denied node needs another preparation of the model.
constexpr size_t kMaxNodes = 8;

// XNNPACK's delegate reports "failed to delegate CONV_2D node #16". -1 if the message names no node.
int NodeInMessage(const std::string& message) {
  const size_t failure = message.find("failed to delegate ");
  if (failure == std::string::npos) return -1;
  constexpr char kMark[] = "node #";
  const size_t mark = message.find(kMark, failure);
  return mark == std::string::npos ? -1 : std::atoi(message.c_str() + mark + sizeof(kMark) - 1);
}

// During its lifetime, nodes have an op code that no delegate takes.
class HiddenNodes {
 public:
  explicit HiddenNodes(Subgraph& subgraph) : subgraph_(subgraph) {}
  ~HiddenNodes() {
    for (const auto& [node, code] : codes_) CodeOf(node) = code;
  }

  void Hide(int node) {
    codes_.emplace_back(node, CodeOf(node));
    CodeOf(node) = kTfLiteBuiltinPlaceholderForGreaterOpCodes;
  }

 private:
  int32_t& CodeOf(int node) {
    return const_cast<TfLiteRegistration&>(subgraph_.node_and_registration(node)->second).builtin_code;
  }

  Subgraph& subgraph_;
  std::vector<std::pair<int, int32_t>> codes_;
};

}  // namespace

bool XnnpackDenials::HasEmptyInput(Subgraph& subgraph) {
  return std::any_of(subgraph.inputs().begin(), subgraph.inputs().end(), [&subgraph](int input) {
    const TfLiteIntArray* dims = subgraph.tensor(input)->dims;
    return dims != nullptr && std::find(dims->data, dims->data + dims->size, 0) != dims->data + dims->size;
  });
}

TfLiteStatus XnnpackDenials::Apply(Interpreter& interpreter, TfLiteDelegate* delegate) const {
  std::vector<std::unique_ptr<HiddenNodes>> hidden;
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    Subgraph& subgraph = *interpreter.subgraph(static_cast<int>(i));
    hidden.push_back(std::make_unique<HiddenNodes>(subgraph));
    const bool is_empty = HasEmptyInput(subgraph);
    for (int node : subgraph.execution_plan()) {
      if (is_empty || IsDenied(static_cast<int>(i), node)) hidden.back()->Hide(node);
    }
  }
  return interpreter.ModifyGraphWithDelegate(delegate);
}

bool XnnpackDenials::Deny(int subgraph, const std::string& message) {
  if (IsDenied(subgraph, kAll)) return false;
  const int node = NodeInMessage(message);
  const bool is_one = node >= 0 && !IsDenied(subgraph, node) && nodes_.size() < kMaxNodes;
  nodes_.push_back({subgraph, is_one ? node : kAll, message});
  return true;
}

bool XnnpackDenials::IsDenied(int subgraph, int node) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [subgraph, node](const DeniedNode& denied) {
    return (denied.subgraph == subgraph || denied.subgraph == kAll) && (denied.node == node || denied.node == kAll);
  });
}

}  // namespace tflite::webnn
